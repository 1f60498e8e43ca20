/* Whether a directory may move, with its contents. */
#ifndef HF_LAUNCH_GUARD_JUDGE_TREE_H
#define HF_LAUNCH_GUARD_JUDGE_TREE_H
struct place;
struct states;
struct step;
enum judgement { ALLOWED, REFUSED };
enum judgement judge_tree(const struct step *step, int directory, const struct states *above, struct place *place);
#endif
