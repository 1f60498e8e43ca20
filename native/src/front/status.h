/* How the program ends when it cannot run anything. */
#pragma once
enum { FAILED = 125 };
