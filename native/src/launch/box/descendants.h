/* Descendants of this process. */
#ifndef HF_LAUNCH_BOX_DESCENDANTS_H
#define HF_LAUNCH_BOX_DESCENDANTS_H
void adopt_orphans(void);
void enter_signal_domain(int abi);
void kill_children(void);
void end_descendants(void);
#endif
