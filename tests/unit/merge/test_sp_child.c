/* SPDX-License-Identifier: BSD-3-Clause */
/* sp_child: programs that are run from within another's process. */
#include "../sp_test.h"
#include "sp_child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONG_S = 60, MANY_BYTES = 3 << 20 };

static void what_a_program_writes_comes_back_however_it_ended(void **state)
{
    static const struct {
        const char *script, *output;
    } rows[] = {{"cat", "in"}, {"exit 3", ""}, {"echo some; kill -KILL $$", "some\n"}, {"echo some; kill -SEGV $$", "some\n"},
        {"echo to nobody >&2", ""}, {"test -z \"$LD_PRELOAD\" && echo $SP_TEST_CHILD", "kept\n"}};
    (void)state;
    setenv("SP_TEST_CHILD", "kept", 1);
    setenv("LD_PRELOAD", "", 1);
    for (size_t i = 0; i < SP_COUNT(rows); i++) {
        char shell[] = "/bin/sh", option[] = "-c", script[80], *argv[] = {shell, option, script, NULL}, *output;
        size_t bytes;
        strcpy(script, rows[i].script);
        assert_int_equal(sp_child_run(argv, "in", 2, LONG_S, &output, &bytes), 0);
        assert_string_equal(output, rows[i].output);
        assert_int_equal(bytes, strlen(rows[i].output));
        free(output);
    }
    unsetenv("LD_PRELOAD");
}

static void much_goes_in_and_out(void **state)
{
    char program[] = "/bin/cat", *argv[] = {program, NULL}, *input = malloc(MANY_BYTES), *output;
    size_t bytes;
    (void)state;
    assert_non_null(input);
    memset(input, 'x', MANY_BYTES);
    assert_int_equal(sp_child_run(argv, input, MANY_BYTES, LONG_S, &output, &bytes), 0);
    assert_int_equal(bytes, MANY_BYTES);
    assert_memory_equal(output, input, MANY_BYTES);
    free(output);
    free(input);
}

static void what_does_not_start_or_end_is_a_failure(void **state)
{
    char none[] = "/nonexistent", sleeps[] = "/bin/sleep", seconds[] = "3", *missing[] = {none, NULL}, *slow[] = {sleeps, seconds, NULL},
         *output;
    size_t bytes;
    (void)state;
    assert_int_equal(sp_child_run(missing, "", 0, LONG_S, &output, &bytes), -1);
    assert_null(output);
    assert_int_equal(sp_child_run(slow, "", 0, 1, &output, &bytes), -1);
    assert_null(output);
}

static volatile sig_atomic_t signals;

static void count(int number)
{
    (void)number;
    signals++;
}

static void the_process_does_not_notice(void **state)
{
    char program[] = "/bin/true", *argv[] = {program, NULL}, *output;
    sigset_t before, after;
    size_t bytes;
    int next = dup(0);
    (void)state;
    close(next);
    signal(SIGCHLD, count);
    signal(SIGPIPE, count);
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    assert_int_equal(sp_child_run(argv, "unread", 6, LONG_S, &output, &bytes), 0);
    free(output);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (int number = 1; number < 32; number++)
        assert_int_equal(sigismember(&before, number), sigismember(&after, number));
    assert_int_equal(signals, 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    int again = dup(0);
    assert_int_equal(again, next);
    close(again);
}

static void standard_descriptors_may_be_closed(void **state)
{
    char program[] = "/bin/cat", *argv[] = {program, NULL}, *output = NULL;
    size_t bytes;
    int kept[3], status;
    (void)state;
    for (int fd = 0; fd < 3; fd++) {
        kept[fd] = fcntl(fd, F_DUPFD_CLOEXEC, 20);
        close(fd);
    }
    status = sp_child_run(argv, "in", 2, LONG_S, &output, &bytes);
    for (int fd = 0; fd < 3; fd++)
        if (kept[fd] >= 0) {
            dup2(kept[fd], fd);
            close(kept[fd]);
        }
    assert_int_equal(status, 0);
    assert_string_equal(output, "in");
    free(output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_program_writes_comes_back_however_it_ended),
        cmocka_unit_test(much_goes_in_and_out),
        cmocka_unit_test(what_does_not_start_or_end_is_a_failure),
        cmocka_unit_test(the_process_does_not_notice),
        cmocka_unit_test(standard_descriptors_may_be_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
