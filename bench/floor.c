/* The floor under a command hook: posix_spawn of the shell with three pipes, the payload written, the output drained, the child reaped. Reads lines "COUNT COMMAND", answers with nanoseconds. */
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

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int once(const char *command, const char *payload, size_t length) {
  int in[2], out[2], err[2];
  if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC)) return -1;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err[1], 2);
  char *argv[] = {"sh", "-c", (char *)command, NULL};
  pid_t pid;
  if (posix_spawn(&pid, "/bin/sh", &actions, NULL, argv, environ)) return -1;
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  close(err[1]);
  if (write(in[1], payload, length) < 0 && errno != EPIPE) return -1;
  close(in[1]);
  struct pollfd open[2] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
  char buffer[65536];
  for (int left = 2; left > 0;) {
    if (poll(open, 2, -1) < 0) return -1;
    for (int i = 0; i < 2; i++) {
      if (open[i].fd < 0 || open[i].revents == 0) continue;
      if (read(open[i].fd, buffer, sizeof buffer) > 0) continue;
      close(open[i].fd);
      open[i].fd = -1;
      left--;
    }
  }
  int status;
  return waitpid(pid, &status, 0) == pid ? 0 : -1;
}

int main(int argc, char **argv) {
  const char *payload = argc > 1 ? argv[1] : "\n";
  static char line[65536];
  signal(SIGPIPE, SIG_IGN);
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\n")] = 0;
    char *command;
    long count = strtol(line, &command, 10);
    while (*command == ' ') command++;
    for (long i = 0; i < count; i++) {
      long long start = now();
      if (once(command, payload, strlen(payload)) != 0) return 1;
      printf("%lld ", now() - start);
    }
    printf("\n");
    fflush(stdout);
  }
  return 0;
}
