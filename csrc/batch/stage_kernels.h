/* SPDX-License-Identifier: BSD-3-Clause */
/* Stages of a vehicle type, over its blocks; a template, included after the files of the type.
 *
 * Each loop loads whole structs and stores the controller state; the compiler removes loads of unused members. */

#ifndef TYPE_OWN_STAGES
#define STAGE_KERNEL(stage, function, part)                                                                  \
    static void TYPED(function##_blocks)(const rf_kernel_args *args)                                         \
    {                                                                                                        \
        for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {                                       \
            const block b = block_at(args, i);                                                               \
            TYPED(function)(&b);                                                                             \
        }                                                                                                    \
    }

TYPE_STAGES(STAGE_KERNEL)

#undef STAGE_KERNEL
#endif

#ifdef TYPE_GUIDE
LANE_INLINE void TYPED(navigator_block)(const block *b, int accept_only)
{
    mask airframe = navigator_airframe(b);
    if (!navigator_is_due(b, accept_only)) return;
    TYPED(navigate)(b, accept_only);
    navigator_switch_airframe(b, airframe, TYPED(PARAM_ROW), TYPED(SETPOINT_ROW) - TYPED(PARAM_ROW));
}

/* Not inlined: one copy serves the stage and the commands that are accepted outside of it. */
static __attribute__((noinline)) void TYPED(navigator_blocks)(const rf_kernel_args *args, int accept_only)
{
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        const block b = block_at(args, i);
        TYPED(navigator_block)(&b, accept_only);
    }
}

static void TYPED(guide_blocks)(const rf_kernel_args *args)
{
    TYPED(navigator_blocks)(args, 0);
}

static void TYPED(accept_blocks)(const rf_kernel_args *args)
{
    TYPED(navigator_blocks)(args, 1);
}
#endif
