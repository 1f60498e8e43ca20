/* Capabilities that a process gives up. */
#ifndef HF_LAUNCH_CONFINE_CAPABILITIES_H
#define HF_LAUNCH_CONFINE_CAPABILITIES_H
void empty_capabilities(void); /* of this process */
void keep_tracing(void);       /* all except the right to read the memory of the box, if the process has that right */
void drop_capabilities(void);  /* and for everything that it executes */
#endif
