/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_gnuplot.h"

#include "sp_error.h"
#include "sp_gnuplot_style.h"
#include "sp_json.h"
#include "sp_outdir.h"
#include "sp_sheet.h"
#include "sp_utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void write_comment(FILE *out, const struct sp_gnuplot *plot)
{
    fprintf(out, "# %s\n# From:\n", plot->shows);
    for (size_t i = 0; i < plot->profiles->count; i++) {
        char *label = sp_utf8_show(plot->profiles->items[i].run->label, 0);
        char *valid = sp_utf8_valid(plot->profiles->items[i].run->path, strlen(plot->profiles->items[i].run->path));
        char *path = valid ? sp_utf8_show(valid, 0) : NULL;
        fprintf(out, "#   %s: %s\n", label ? label : "?", path ? path : "?");
        free(label);
        free(valid);
        free(path);
    }
}

int sp_gnuplot_begin(struct sp_outdir *dir, const struct sp_gnuplot *plot, FILE **out, struct sp_error *err)
{
    char name[64];
    snprintf(name, sizeof name, "%s_plot.png", plot->kind);
    if (sp_outdir_claim(dir, name, err))
        return -1;
    snprintf(name, sizeof name, "%s_plot.gp", plot->kind);
    if (sp_outdir_begin(dir, name, out, err))
        return -1;
    write_comment(*out, plot);
    fprintf(*out,
        "\n# Data and picture lie beside this script, wherever it is called from.\n"
        "folder = ''\n"
        "do for [i=1:strlen(ARG0)] { if (ARG0[i:i] eq '/') { folder = ARG0[1:i] } }\n"
        "data = folder.'%s_plot.dat'\n"
        "if (!exists('sp_output')) { sp_output = folder.'%s_plot.png' }\n"
        "set terminal pngcairo noenhanced size %d,%d font 'DejaVu Sans,10' background rgb 'white'\n"
        "set output sp_output\n\n%s\n",
        plot->kind, plot->kind, plot->width, plot->height, sp_gnuplot_style);
    return 0;
}

/* In single quotes, where nothing but the quote itself is special; characters in doubled are written twice. */
static void write_quoted(FILE *out, const char *text, size_t columns, const char *doubled)
{
    char *shown = sp_utf8_show_plain(text, columns);
    fputc('\'', out);
    for (const char *c = shown; c && *c; c++) {
        if (strchr(doubled, *c))
            fputc(*c, out);
        fputc(*c, out);
    }
    fputc('\'', out);
    free(shown);
}

void sp_gnuplot_text(FILE *out, const char *text, size_t columns)
{
    write_quoted(out, text, columns, "'");
}

void sp_gnuplot_tick(FILE *out, const char *text, size_t columns)
{
    write_quoted(out, text, columns, "'%");
}

void sp_gnuplot_title(FILE *out, const char *title, const char *note)
{
    fputs("set label 1001 ", out);
    sp_gnuplot_text(out, title, 120);
    fprintf(
        out, " at graph 0, graph 1 offset character 0, %s left noenhanced font ',13' textcolor rgb '#101010'\n", note[0] ? "2.1" : "1.1");
    if (!note[0])
        return;
    fputs("set label 1002 ", out);
    sp_gnuplot_text(out, note, 160);
    fputs(" at graph 0, graph 1 offset character 0, 0.8 left noenhanced font ',9' textcolor rgb '#606060'\n", out);
}

const char *sp_gnuplot_unit(double max_ns, double *unit_ns)
{
    static const struct {
        double ns;
        const char *name;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}};
    size_t i = 0;
    while (i < 3 && max_ns < units[i].ns)
        i++;
    *unit_ns = units[i].ns;
    return units[i].name;
}

int sp_gnuplot_write_data(struct sp_outdir *dir, const char *kind, const struct sp_sheet *sheet,
    void (*more)(struct sp_json *json, const void *data), const void *data, struct sp_error *err)
{
    char name[64];
    FILE *out;
    struct sp_json json;
    snprintf(name, sizeof name, "%s_data.csv", kind);
    if (sp_outdir_begin(dir, name, &out, err))
        return -1;
    sp_sheet_write_csv(sheet, out);
    snprintf(name, sizeof name, "%s_data.json", kind);
    if (sp_outdir_end(dir, err) || sp_outdir_begin(dir, name, &out, err))
        return -1;
    sp_json_init(&json, out);
    sp_json_object(&json);
    sp_json_key(&json, "format");
    sp_json_text(&json, "scope-profiler-plot-data");
    sp_json_key(&json, "format_version");
    sp_json_integer(&json, 1);
    sp_json_key(&json, "plot");
    sp_json_text(&json, kind);
    sp_json_key(&json, sheet->name);
    sp_sheet_write_rows(sheet, &json);
    more(&json, data);
    sp_json_finish(&json);
    return sp_outdir_end(dir, err);
}

#define GNUPLOT_NOT_FOUND 127

/* In the child: nothing but calls that are allowed between fork and exec. */
static void become_gnuplot(const char *folder, const char *script, const char *setting, int messages)
{
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(messages, STDERR_FILENO);
    if (chdir(folder))
        _exit(1);
    execlp("gnuplot", "gnuplot", "-e", setting, script, (char *)NULL);
    _exit(GNUPLOT_NOT_FOUND);
}

/* The last line that is not empty; cuts the text there. */
static const char *last_line(char *text)
{
    size_t length = strlen(text);
    while (length && (text[length - 1] == '\n' || text[length - 1] == ' '))
        text[--length] = '\0';
    char *line = strrchr(text, '\n');
    return line ? line + 1 : text;
}

/* Returns gnuplot's exit status, -1 if it could not be started; said holds the end of what it wrote to stderr. */
static int run_gnuplot(const char *folder, const char *script, const char *setting, char *said, size_t size)
{
    int ends[2], status;
    said[0] = '\0';
    if (pipe(ends))
        return -1;
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        become_gnuplot(folder, script, setting, ends[1]);
    }
    close(ends[1]);
    size_t used = 0;
    char buffer[512];
    for (ssize_t got; child > 0 && (got = read(ends[0], buffer, sizeof buffer)) != 0;) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            break;
        for (ssize_t i = 0; i < got; i++) {
            if (used + 1 == size)
                memmove(said, said + size / 2, used -= size / 2);
            said[used++] = buffer[i];
        }
    }
    said[used] = '\0';
    close(ends[0]);
    if (child < 0)
        return -1;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int sp_gnuplot_render(struct sp_outdir *dir, const char *kind, enum sp_gnuplot_outcome *outcome, struct sp_error *err)
{
    char script[64], picture[64], temporary[96], setting[128], said[1024];
    snprintf(script, sizeof script, "%s_plot.gp", kind);
    snprintf(picture, sizeof picture, "%s_plot.png", kind);
    snprintf(temporary, sizeof temporary, ".%s.%ld.tmp", picture, (long)getpid());
    snprintf(setting, sizeof setting, "sp_output='%s'", temporary);
    *outcome = SP_GNUPLOT_DRAWN;
    int status = run_gnuplot(sp_outdir_path(dir), script, setting, said, sizeof said);
    if (status == GNUPLOT_NOT_FOUND) {
        *outcome = SP_GNUPLOT_MISSING;
        return 0;
    }
    if (!status)
        return sp_outdir_adopt(dir, temporary, picture, err);
    sp_outdir_discard(dir, temporary);
    return sp_fail_as(err, SP_EXIT_OUTPUT, "%.200s/%s: gnuplot cannot draw it: %.200s", sp_outdir_path(dir), script, last_line(said));
}
