/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_settings.h"
#include "sp_config_key.h"
#include "sp_message.h"
#include "sp_override.h"
#include "sp_process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *or_null(const char *text)
{
    return text[0] ? text : NULL;
}

/* What has been made of the settings already follows them. */
static void apply(struct sp_process *process)
{
    const struct sp_config *config = &process->config;
    struct sp_registry_filter filter = {.include = or_null(config->include),
        .exclude = or_null(config->exclude),
        .tags = or_null(config->tags),
        .enabled_tags = or_null(config->enable_tags)};
    sp_registry_set_filter(process->registry, &filter);
    if (strcmp(config->mode, "trace") != 0)
        process->budget.limit = 0;
    if (strcmp(config->start, "off") == 0)
        sp_process_set_gate(SP_GATE_PAUSED, 0);
    if (strcmp(config->enable, "0") == 0)
        sp_process_set_gate(SP_GATE_OFF, 0);
}

/* -1 where it is too late. */
static int change(struct sp_process *process, const char *variable, const char *value)
{
    char *old = NULL;
    pthread_mutex_lock(&process->lock);
    int is_late = process->started || (strcmp(variable, "SP_CLOCK") == 0 && strcmp(process->config.clock, value) != 0);
    if (!is_late) {
        sp_config_reread(&process->config, variable, sp_message_say, &old);
        apply(process);
    }
    pthread_mutex_unlock(&process->lock);
    free(old);
    return is_late ? -1 : 0;
}

int sp_settings_set(const char *key, const char *value)
{
    char variable[64];
    if (!key || !value)
        return SP_ERR_UNSUPPORTED;
    sp_config_key_variable(key, variable, sizeof variable);
    int is_known = sp_config_knows(variable) && strcmp(variable, "SP_CONFIG") != 0; /* the file is of whoever runs the program */
    if (is_known && sp_override_set(variable, value) < 0)
        return SP_ERR_NO_MEMORY;
    struct sp_process *process = sp_process_get(); /* reads the settings, if nobody did before */
    if (!process)
        return SP_OK;
    if (!is_known)
        return SP_ERR_UNSUPPORTED;
    if (sp_override_is_fixed(variable))
        return SP_OK;
    return change(process, variable, value) < 0 ? SP_ERR_UNSUPPORTED : SP_OK;
}

int sp_settings_work(double work)
{
    char text[32];
    struct sp_process *process = sp_process_get();
    snprintf(text, sizeof text, "%.17g", work);
    if (process && sp_metadata_set(process->metadata, "work", text) < 0)
        return SP_ERR_NO_MEMORY;
    return SP_OK;
}
