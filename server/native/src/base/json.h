/* SPDX-License-Identifier: Apache-2.0 */
/* Reads one JSON document strictly, from its start on. What is wrong ends the process with the code that `json_read` got. */
#ifndef NODEPORT_JSON_H
#define NODEPORT_JSON_H

#include "nodeport.h"

/** Reads a file to its end, or for `-` one line of stdin: what follows are commands. `code` is that of all errors in it. */
void json_read(const char *path, const char *code);
/** The next character that is no blank; 0 at the end. */
char json_next(void);
void json_expect(char wanted, const char *why);
/** After an item: whether another one follows. */
bool json_more(char end);
/** A string without escapes: no name and no address needs them. */
const char *json_string(void);
uint32_t json_number(uint32_t least, uint32_t most);
/** Fills in the address, and returns its family. */
enum family json_address(struct address *to);
_Noreturn void json_bad(const char *why);

#endif
