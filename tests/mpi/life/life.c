/* SPDX-License-Identifier: BSD-3-Clause */
/* life MODE: the ways in which a program can start, have children and end. Every mode that gets to MPI makes ten barriers first, so
 * that what is recovered can be counted. */
#define _GNU_SOURCE /* popen, usleep */
#include <scope_profiler.h>

#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank, size;
static volatile sig_atomic_t signals;
static int ends_late;

static void say(const char *text)
{
    if (rank == 0) {
        printf("%s\n", text);
        fflush(stdout);
    }
}

static void start(void)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 10; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    say("started");
}

static int finish(int code)
{
    MPI_Finalize();
    say("finished");
    return code;
}

static int normal(void)
{
    start();
    return finish(0);
}

/* Of several processes that return a code a launcher may end the others at once: nothing is said after the first. */
static int own_code(void)
{
    start();
    MPI_Finalize();
    return 6;
}

static int never(void)
{
    SP_BEGIN("unseen");
    SP_END("unseen");
    say("no MPI_Init");
    return 2;
}

static int initialized_only(void)
{
    int flag = -1;
    MPI_Initialized(&flag);
    printf("initialized %d\n", flag);
    return 0;
}

static int pcontrol_early(void)
{
    MPI_Pcontrol(1);
    start();
    return finish(0);
}

static int pcontrol_off(void)
{
    start();
    MPI_Pcontrol(0);
    for (int i = 0; i < 5; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Pcontrol(1);
    return finish(0);
}

static int thread_level(void)
{
    char text[40];
    int provided = -1, asked = -1;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    MPI_Query_thread(&asked);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 10; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    snprintf(text, sizeof text, "provided %d, asked %d", provided, asked);
    say(text);
    return finish(0);
}

static int early_regions(void)
{
    for (int i = 0; i < 1000000; i++) {
        SP_BEGIN("early");
        SP_END("early");
    }
    start();
    return finish(0);
}

/* Where a region of the environment is still open when everything is over. */
static int region_late(void)
{
    start();
    SP_BEGIN("late");
    MPI_Finalize();
    SP_END("late");
    SP_BEGIN("after");
    SP_END("after");
    say("finished");
    return 0;
}

static int region_in_destructor(void)
{
    start();
    SP_BEGIN("late");
    ends_late = 1;
    return finish(0);
}

__attribute__((destructor)) static void end_late(void)
{
    if (!ends_late)
        return;
    SP_END("late");
    SP_BEGIN("destructor");
    SP_END("destructor");
}

/* As a daemon does before it begins. */
static int close_all_before(void)
{
    const char *keep[] = {getenv("PMI_FD"), getenv("HYDI_CONTROL_FD")};
    for (int fd = 3; fd < 256; fd++)
        if (!(keep[0] && atoi(keep[0]) == fd) && !(keep[1] && atoi(keep[1]) == fd))
            close(fd);
    start();
    return finish(0);
}

/* All that were opened since MPI_Init began and that MPI itself does not miss: regular files. */
static int close_files_after(void)
{
    char path[64], target[4096];
    start();
    for (int fd = 3; fd < 256; fd++) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        ssize_t n = readlink(path, target, sizeof target - 1);
        target[n > 0 ? n : 0] = '\0';
        if (strstr(target, ".spill") || strstr(target, ".h5"))
            close(fd);
    }
    for (int i = 0; i < 10; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    return finish(0);
}

/* Standard error is closed: no file of ours may take its place, and what MPI puts there is not to be written to. */
static int close_stderr(void)
{
    char target[4096];
    close(STDERR_FILENO);
    start();
    ssize_t n = readlink("/proc/self/fd/2", target, sizeof target - 1);
    target[n > 0 ? n : 0] = '\0';
    say(strstr(target, ".spill") || strstr(target, ".h5") || strstr(target, ".part") ? "a file of ours is stderr" : "stderr is no file");
    return finish(0);
}

static int exit_early(void)
{
    start();
    exit(3);
}

static int return_early(void)
{
    start();
    return 3;
}

static int exit_at_once(void)
{
    start();
    _exit(4);
}

static int abort_one(void)
{
    start();
    if (rank == size - 1)
        MPI_Abort(MPI_COMM_WORLD, 5);
    sleep(20);
    return finish(0);
}

static int abort_c(void)
{
    start();
    if (rank == size - 1)
        abort();
    sleep(20);
    return finish(0);
}

static int die_of(int signal_number)
{
    start();
    if (rank == size - 1)
        raise(signal_number);
    sleep(20);
    return finish(0);
}

static int sigterm(void)
{
    return die_of(SIGTERM);
}

static int sigkill(void)
{
    return die_of(SIGKILL);
}

static int sigsegv(void)
{
    return die_of(SIGSEGV);
}

static int error_in_mpi(void)
{
    start();
    MPI_Send(NULL, 1, MPI_INT, size + 7, 0, MPI_COMM_WORLD);
    return finish(0);
}

static void count_signal(int number)
{
    (void)number;
    signals++;
}

/* A warning of the batch system, which the program answers by ending well. */
static int own_handler(void)
{
    signal(SIGUSR1, count_signal);
    signal(SIGTERM, count_signal);
    signal(SIGUSR2, count_signal);
    start();
    raise(SIGUSR1);
    raise(SIGTERM);
    raise(SIGUSR2);
    say(signals == 3 ? "its own handlers ran" : "its own handlers did not run");
    return finish(0);
}

static int wait_long(void)
{
    start();
    for (int i = 0; i < 200; i++)
        usleep(100000);
    return finish(0);
}

static int reap(pid_t child)
{
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int with_fork(void)
{
    char text[40];
    start();
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 1000; i++) {
            SP_BEGIN("child");
            SP_END("child");
        }
        exit(7); /* with destructors and atexit */
    }
    snprintf(text, sizeof text, "child returned %d", reap(child));
    say(text);
    return finish(0);
}

static int with_exec(void)
{
    char text[40];
    start();
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", "exit 9", (char *)NULL);
        _exit(1);
    }
    snprintf(text, sizeof text, "child returned %d", reap(child));
    say(text);
    return finish(0);
}

static int with_system(void)
{
    char text[80] = "";
    start();
    int status = system("exit 3");
    FILE *pipe = popen("echo from the pipe", "r");
    if (!pipe || !fgets(text, sizeof text, pipe))
        say("no pipe");
    if (pipe)
        pclose(pipe);
    text[strcspn(text, "\n")] = '\0';
    say(text);
    say(WEXITSTATUS(status) == 3 ? "system is as it was" : "system is not as it was");
    return finish(0);
}

static char *own_path;

static int spawn(void)
{
    MPI_Comm children;
    char *arguments[] = {(char *)"spawned", NULL};
    int sum = 0, own = 1;
    start();
    MPI_Comm_spawn(own_path, arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
    MPI_Reduce(&own, &sum, 1, MPI_INT, MPI_SUM, rank == 0 ? MPI_ROOT : MPI_PROC_NULL, children);
    say(sum == 41 ? "the child answered" : "the child answered wrongly");
    MPI_Comm_disconnect(&children);
    return finish(0);
}

static int spawned(void)
{
    MPI_Comm parent;
    int answer = 41;
    start();
    MPI_Comm_get_parent(&parent);
    MPI_Reduce(&answer, NULL, 1, MPI_INT, MPI_SUM, 0, parent);
    MPI_Comm_disconnect(&parent);
    MPI_Finalize();
    return 0;
}

static void *finish_elsewhere(void *unused)
{
    MPI_Finalize();
    return unused;
}

static int finalize_in_thread(void)
{
    int provided;
    pthread_t thread;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 10; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    pthread_create(&thread, NULL, finish_elsewhere, NULL);
    pthread_join(thread, NULL);
    say("finished");
    return 0;
}

static const struct {
    const char *name;
    int (*run)(void);
} modes[] = {{"normal", normal}, {"own_code", own_code}, {"never", never}, {"initialized_only", initialized_only},
    {"pcontrol_early", pcontrol_early}, {"pcontrol_off", pcontrol_off}, {"thread_level", thread_level}, {"early_regions", early_regions},
    {"region_late", region_late}, {"region_in_destructor", region_in_destructor}, {"close_all_before", close_all_before},
    {"close_files_after", close_files_after}, {"close_stderr", close_stderr}, {"exit_early", exit_early}, {"return_early", return_early},
    {"exit_at_once", exit_at_once}, {"abort_one", abort_one}, {"abort_c", abort_c}, {"sigterm", sigterm}, {"sigkill", sigkill},
    {"sigsegv", sigsegv}, {"error_in_mpi", error_in_mpi}, {"own_handler", own_handler}, {"wait_long", wait_long}, {"with_fork", with_fork},
    {"with_exec", with_exec}, {"with_system", with_system}, {"spawn", spawn}, {"spawned", spawned},
    {"finalize_in_thread", finalize_in_thread}};

int main(int argc, char **argv)
{
    own_path = argv[0];
    for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof modes[0]; i++)
        if (strcmp(argv[1], modes[i].name) == 0)
            return modes[i].run();
    fprintf(stderr, "usage: life MODE\n");
    return 99;
}
