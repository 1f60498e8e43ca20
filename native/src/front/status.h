/* The program's exit status if it cannot run anything. */
#pragma once
enum { FAILED = 125 };
