/* A staged layer that several boxes share. */
#ifndef HF_LAUNCH_ROOT_KEEPER_H
#define HF_LAUNCH_ROOT_KEEPER_H
struct plan;
_Noreturn void run_keeper(struct plan *plan);
void take_overlays(struct plan *plan); /* outer */
#endif
