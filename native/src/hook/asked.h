/* Whether someone could be asked. */
#pragma once
enum asked { ANSWERED, NO_ANSWER };
