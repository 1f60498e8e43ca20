#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include "ask.h"

/* Frames of src/serve/wire/frame.ts. */
enum { MESSAGE, INPUT, OUT, ERROR, END, CREDIT };
enum { HEAD = 9, PIECE = 64 * 1024, OWN_REQUEST = 1 };

static enum asked send_all(int server, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t sent = send(server, bytes, length, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return NO_ANSWER;
    bytes += sent;
    length -= (size_t)sent;
  }
  return ANSWERED;
}

static enum asked receive_all(int server, char *bytes, size_t length) {
  while (length > 0) {
    ssize_t got = recv(server, bytes, length, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return NO_ANSWER;
    bytes += got;
    length -= (size_t)got;
  }
  return ANSWERED;
}

static void put_number(unsigned char *to, uint32_t number) {
  to[0] = (unsigned char)(number >> 24), to[1] = (unsigned char)(number >> 16), to[2] = (unsigned char)(number >> 8), to[3] = (unsigned char)number;
}

static uint32_t number_at(const unsigned char *from) {
  return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

/* All frames are sent at once, because the server would wake up for each. */
static struct { size_t length; char bytes[MOST_BYTES + 1024]; } frames;

static enum asked add_frame(int type, uint32_t channel, const char *payload, size_t length) {
  unsigned char *head = (unsigned char *)frames.bytes + frames.length;
  if (HEAD + length > sizeof frames.bytes - frames.length) return NO_ANSWER;
  put_number(head, (uint32_t)length);
  head[4] = (unsigned char)type;
  put_number(head + 5, channel);
  if (length > 0) memcpy(head + HEAD, payload, length);
  frames.length += HEAD + length;
  return ANSWERED;
}

static enum asked send_question(int server, const char *agent, const struct text *question) {
  static const char hello[] = "{\"kind\":\"hello\",\"version\":1}";
  char request[64];
  int length = snprintf(request, sizeof request, "{\"kind\":\"decide\",\"agent\":\"%s\"}", agent);
  if (length < 0 || (size_t)length >= sizeof request) return NO_ANSWER;
  frames.length = 0;
  if (add_frame(MESSAGE, 0, hello, sizeof hello - 1) != ANSWERED || add_frame(MESSAGE, OWN_REQUEST, request, (size_t)length) != ANSWERED) return NO_ANSWER;
  for (size_t at = 0; at < question->length; at += PIECE) {
    size_t rest = question->length - at;
    if (add_frame(INPUT, OWN_REQUEST, question->bytes + at, rest < PIECE ? rest : PIECE) != ANSWERED) return NO_ANSWER;
  }
  if (add_frame(END, OWN_REQUEST, NULL, 0) != ANSWERED) return NO_ANSWER;
  return send_all(server, frames.bytes, frames.length);
}

static enum asked receive_more(int server, struct text *to, size_t length) {
  if (length > sizeof to->bytes - to->length) return NO_ANSWER;
  to->length += length;
  return receive_all(server, to->bytes + to->length - length, length);
}

static int is_text(const struct text *text, const char *other) {
  return text->length == strlen(other) && memcmp(text->bytes, other, text->length) == 0;
}

/* Only these two count as answers. An error does not, nor does a status that would let the tool run. */
static enum asked read_result(const struct text *word, struct answer *answer) {
  if (is_text(word, "{\"kind\":\"result\",\"result\":{\"status\":0}}")) answer->status = 0;
  else if (is_text(word, "{\"kind\":\"result\",\"result\":{\"status\":2}}")) answer->status = 2;
  else return NO_ANSWER;
  return ANSWERED;
}

enum asked ask_server(int server, const char *agent, const struct text *question, struct answer *answer) {
  static struct text word;
  unsigned char head[HEAD];
  answer->out.length = answer->error.length = 0;
  if (send_question(server, agent, question) != ANSWERED) return NO_ANSWER;
  while (receive_all(server, (char *)head, HEAD) == ANSWERED) {
    uint32_t length = number_at(head), channel = number_at(head + 5);
    struct text *to = head[4] == OUT ? &answer->out : head[4] == ERROR ? &answer->error : &word;
    word.length = 0;
    if (head[4] > CREDIT || (to != &word && channel != OWN_REQUEST) || receive_more(server, to, length) != ANSWERED) return NO_ANSWER;
    if (head[4] == MESSAGE && channel == OWN_REQUEST) return read_result(&word, answer);
  }
  return NO_ANSWER;
}
