/* SPDX-License-Identifier: BSD-3-Clause */
/* A launcher whose answers lie ready in the socket. */
#include "../sp_test.h"
#include "sp_pmi.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define INIT "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n"
#define NAME "cmd=my_kvsname kvsname=kvs_77_0_host\n"
#define PUT "cmd=put_result rc=0 msg=success\n"

static int launcher = -1, ours = -1;

static void start(const char *answers)
{
    int pair[2];
    char number[16];
    close(launcher);
    close(ours);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    launcher = pair[0];
    ours = pair[1];
    snprintf(number, sizeof number, "%d", ours);
    setenv("PMI_FD", number, 1);
    setenv("PMI_RANK", "0", 1);
    setenv("HYDI_CONTROL_FD", "0", 1);
    assert_int_equal(write(launcher, answers, strlen(answers)), strlen(answers));
}

/* What was asked since the start. */
static const char *asked(void)
{
    static char text[4096];
    ssize_t n = recv(launcher, text, sizeof text - 1, MSG_DONTWAIT);
    text[n > 0 ? n : 0] = '\0';
    return text;
}

static void a_key_is_put_into_the_store_of_the_job(void **state)
{
    (void)state;
    start(INIT NAME PUT);
    assert_int_equal(sp_pmi_put("k-3"), 0);
    assert_string_equal(asked(),
        "cmd=init pmi_version=1 pmi_subversion=1\ncmd=get_my_kvsname\n"
        "cmd=put kvsname=kvs_77_0_host key=k-3 value=1\n");
}

static void a_key_is_there_or_not(void **state)
{
    (void)state;
    start(INIT NAME PUT "cmd=get_result rc=0 msg=success value=1\ncmd=get_result rc=-1 msg=key_k-4_not_found value=unknown\n");
    assert_int_equal(sp_pmi_put("k-3"), 0);
    assert_int_equal(sp_pmi_has("k-3"), 1);
    assert_int_equal(sp_pmi_has("k-4"), 0);
}

static void not_a_byte_of_the_next_answer_is_taken(void **state)
{
    char rest[8] = "";
    (void)state;
    start(INIT NAME PUT "cmd=x");
    assert_int_equal(sp_pmi_put("k"), 0);
    assert_int_equal(read(ours, rest, sizeof rest), 5);
    assert_memory_equal(rest, "cmd=x", 5);
}

static void without_such_a_launcher_nothing_is_put(void **state)
{
    static const struct {
        const char *variable, *value, *answers;
    } rows[] = {
        {"HYDI_CONTROL_FD", NULL, ""},
        {"PMI_RANK", NULL, ""},
        {"PMI_FD", NULL, ""},
        {"PMI_FD", "999", ""},
        {"SP_TEST_NONE", NULL, "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=-1\n"},
        {"SP_TEST_NONE", NULL, INIT "nonsense\n"},
        {"SP_TEST_NONE", NULL, INIT NAME "cmd=put_result rc=-1 msg=full\n"},
    };
    (void)state;
    for (size_t i = 0; i < SP_COUNT(rows); i++) {
        start(rows[i].answers);
        if (rows[i].value)
            setenv(rows[i].variable, rows[i].value, 1);
        else
            unsetenv(rows[i].variable);
        assert_int_equal(sp_pmi_put("k"), -1);
    }
}

static void a_file_at_the_sockets_number_is_left_alone(void **state)
{
    char number[16];
    int file = open("/dev/null", O_RDWR);
    (void)state;
    start("");
    snprintf(number, sizeof number, "%d", file);
    setenv("PMI_FD", number, 1);
    assert_int_equal(sp_pmi_put("k"), -1);
    close(file);
}

static void a_launcher_that_went_away_is_not_asked_again(void **state)
{
    (void)state;
    start(INIT NAME PUT);
    assert_int_equal(sp_pmi_put("k"), 0);
    close(launcher);
    launcher = -1;
    assert_int_equal(sp_pmi_has("k"), 0);
    assert_int_equal(sp_pmi_has("k"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_is_put_into_the_store_of_the_job),
        cmocka_unit_test(a_key_is_there_or_not),
        cmocka_unit_test(not_a_byte_of_the_next_answer_is_taken),
        cmocka_unit_test(without_such_a_launcher_nothing_is_put),
        cmocka_unit_test(a_file_at_the_sockets_number_is_left_alone),
        cmocka_unit_test(a_launcher_that_went_away_is_not_asked_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
