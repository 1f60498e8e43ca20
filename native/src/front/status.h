/* The program's exit when it cannot run anything. */
#pragma once
enum { FAILED = 125 };
