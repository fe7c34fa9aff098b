/* The floor under a command hook: posix_spawn of the shell with three pipes, the payload written, the output drained, the child reaped. Reads lines "COUNT WIDTH COMMAND": so many times, so many at once. Answers with nanoseconds. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>

extern char **environ;

enum { most = 64 };

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

struct child {
  pid_t pid;
  int out, err;
};

static int begin(struct child *child, const char *command, const char *payload, size_t length) {
  int in[2], out[2], err[2];
  if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC)) return -1;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err[1], 2);
  char *argv[] = {"sh", "-c", (char *)command, NULL};
  if (posix_spawn(&child->pid, "/bin/sh", &actions, NULL, argv, environ)) return -1;
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  close(err[1]);
  child->out = out[0];
  child->err = err[0];
  if (write(in[1], payload, length) < 0 && errno != EPIPE) return -1;
  return close(in[1]);
}

/* Starts all, then hears all of them to their end. */
static int together(long width, const char *command, const char *payload, size_t length) {
  static struct child children[most];
  static struct pollfd open[2 * most];
  static char buffer[65536];
  for (long i = 0; i < width; i++) {
    if (begin(&children[i], command, payload, length) != 0) return -1;
    open[2 * i] = (struct pollfd){children[i].out, POLLIN, 0};
    open[2 * i + 1] = (struct pollfd){children[i].err, POLLIN, 0};
  }
  for (long left = 2 * width; left > 0;) {
    if (poll(open, 2 * width, -1) < 0) return -1;
    for (long i = 0; i < 2 * width; i++) {
      if (open[i].fd < 0 || open[i].revents == 0) continue;
      if (read(open[i].fd, buffer, sizeof buffer) > 0) continue;
      close(open[i].fd);
      open[i].fd = -1;
      left--;
    }
  }
  int status;
  for (long i = 0; i < width; i++)
    if (waitpid(children[i].pid, &status, 0) != children[i].pid) return -1;
  return 0;
}

int main(int argc, char **argv) {
  const char *payload = argc > 1 ? argv[1] : "\n";
  static char line[65536];
  signal(SIGPIPE, SIG_IGN);
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\n")] = 0;
    char *command;
    long count = strtol(line, &command, 10);
    long width = strtol(command, &command, 10);
    if (width < 1 || width > most) return 1;
    while (*command == ' ') command++;
    for (long i = 0; i < count; i++) {
      long long start = now();
      if (together(width, command, payload, strlen(payload)) != 0) return 1;
      printf("%lld ", now() - start);
    }
    printf("\n");
    fflush(stdout);
  }
  return 0;
}
