/* Whether a server can answer. */
#pragma once
enum asked { ANSWERED, NO_ANSWER };
