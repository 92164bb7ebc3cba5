/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_pmi.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE_MS = 10000, ANSWER_BYTES = 2048 };

static int pmi_socket = -1;
static char store[300]; /* the name of this job's key-value store */

/* The launcher's socket; -1 where this process has none (another launcher, none at all, descriptors closed by the program). */
static int find_socket(void)
{
    const char *number = getenv("PMI_FD");
    struct stat status;
    if (!number || !getenv("PMI_RANK") || !getenv("HYDI_CONTROL_FD"))
        return -1;
    int fd = atoi(number);
    return fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode) ? fd : -1;
}

/* Reads up to the end of the line and not a byte more: the next one is MPICH's. */
static int read_line(char *line, size_t room)
{
    size_t used = 0;
    while (used + 1 < room) {
        struct pollfd ready = {.fd = pmi_socket, .events = POLLIN};
        if (poll(&ready, 1, PATIENCE_MS) <= 0 || read(pmi_socket, line + used, 1) != 1)
            return -1;
        if (line[used++] == '\n')
            break;
    }
    line[used] = '\0';
    return 0;
}

/* Does the launcher answer a command with success? */
static int ask(const char *command, char *answer)
{
    size_t length = strlen(command);
    if (send(pmi_socket, command, length, MSG_NOSIGNAL) != (ssize_t)length || read_line(answer, ANSWER_BYTES) < 0) {
        pmi_socket = -1;
        return -1;
    }
    const char *code = strstr(answer, "rc=");
    return !code || atoi(code + 3) == 0 ? 0 : -1;
}

static int learn_store(char *answer)
{
    const char *name = ask("cmd=get_my_kvsname\n", answer) == 0 ? strstr(answer, "kvsname=") : NULL;
    return name && sscanf(name, "kvsname=%255s", store) == 1 ? 0 : -1;
}

int sp_pmi_put(const char *key)
{
    char command[700], answer[ANSWER_BYTES];
    pmi_socket = find_socket();
    if (pmi_socket < 0 || ask("cmd=init pmi_version=1 pmi_subversion=1\n", answer) < 0 || learn_store(answer) < 0)
        return -1;
    snprintf(command, sizeof command, "cmd=put kvsname=%s key=%s value=1\n", store, key);
    return ask(command, answer);
}

int sp_pmi_has(const char *key)
{
    char command[700], answer[ANSWER_BYTES];
    if (pmi_socket < 0)
        return 0;
    snprintf(command, sizeof command, "cmd=get kvsname=%s key=%s\n", store, key);
    return ask(command, answer) == 0 && strstr(answer, "value=1") != NULL;
}
