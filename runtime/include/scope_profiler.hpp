/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCOPE_PROFILER_HPP
#define SCOPE_PROFILER_HPP

/* scope_profiler.h for C++11: scopes that close on every way out, exceptions too.
 *
 *     SP_PROFILE_FUNCTION();                     the function, under its full name
 *     SP_PROFILE_SCOPE("solve");                 the rest of the block
 *     sp::Scope timed(region);                   the same by handle; can be moved within its thread, not copied
 *
 * The _CTX macros and the constructors with an sp_profiler take a context (scope_profiler_contexts.h). A string literal is looked up
 * once a call site, a name that is computed at every call. -DSP_DISABLE_PROFILING: nothing is called, nothing evaluated. */

#include "scope_profiler.h"

#include <cstddef>

namespace sp {

class Scope {
public:
    explicit Scope(int region) noexcept : region_(region)
    {
        sp_begin(region_);
    }

    Scope(sp_profiler *profiler, int region) noexcept : region_(sp_profiler_is_active(profiler) ? region : SP_INVALID_REGION)
    {
        (void)profiler;
        (void)region;
        sp_begin(region_);
    }

    ~Scope()
    {
        sp_end(region_);
    }

    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

    Scope(Scope &&other) noexcept : region_(other.region_)
    {
        other.region_ = SP_INVALID_REGION;
    }

    Scope &operator=(Scope &&other) noexcept
    {
        if (this != &other) {
            sp_end(region_);
            region_ = other.region_;
            other.region_ = SP_INVALID_REGION;
        }
        return *this;
    }

private:
    int region_;
};

} // namespace sp

#ifdef SP_DISABLE_PROFILING

#define SP_PROFILE_SCOPE(name) SP_UNUSED_(name)
#define SP_PROFILE_SCOPE_CTX(profiler, name) SP_UNUSED2_(profiler, name)
#define SP_PROFILE_FUNCTION() ((void)0)
#define SP_PROFILE_FUNCTION_CTX(profiler) SP_UNUSED_(profiler)

#else

namespace sp {
namespace detail {

/* A name that may be another one the next time. */
struct Computed {
    Computed(const char *name) noexcept : text(name) {}
    const char *text;
};

inline int region(int *, Computed name, const char *file, int line) noexcept
{
    return sp_region_at(name.text, file, line);
}

template <std::size_t n> inline int region(int *, char (&name)[n], const char *file, int line) noexcept
{
    return sp_region_at(name, file, line);
}

/* A literal, whose handle is kept at the call site. */
template <std::size_t n> inline int region(int *handle, const char (&name)[n], const char *file, int line) noexcept
{
    return sp_handle_(handle, name, file, line);
}

} // namespace detail
} // namespace sp

#define SP_PROFILE_HANDLE_ SP_JOIN_(sp_profile_handle_, __LINE__)
#define SP_PROFILE_SCOPE_ SP_JOIN_(sp_profile_scope_, __LINE__)
#define SP_PROFILE_SCOPE(name) \
    static int SP_PROFILE_HANDLE_ = SP_HANDLE_UNKNOWN_; \
    const ::sp::Scope SP_PROFILE_SCOPE_(::sp::detail::region(&SP_PROFILE_HANDLE_, (name), __FILE__, __LINE__))
#define SP_PROFILE_SCOPE_CTX(profiler, name) \
    static int SP_PROFILE_HANDLE_ = SP_HANDLE_UNKNOWN_; \
    const ::sp::Scope SP_PROFILE_SCOPE_((profiler), ::sp::detail::region(&SP_PROFILE_HANDLE_, (name), __FILE__, __LINE__))
#define SP_PROFILE_FUNCTION() SP_PROFILE_SCOPE(__PRETTY_FUNCTION__)
#define SP_PROFILE_FUNCTION_CTX(profiler) SP_PROFILE_SCOPE_CTX((profiler), __PRETTY_FUNCTION__)

#endif

#endif
