/* Sums of products with one block of the result in each lane. */
#include "wide.h"

#include <stdlib.h>
#include <string.h>

/* Numbers of moved factors held at once: about half of a first-level cache. */
enum { HELD_NUMBERS = 1536, MOST_STEPS = 64 };

int wide_is_worth_it(const Plan *plan, const KernelSet *set)
{
    if (!set->side_by_side)
        return 0;
    for (int32_t degree = 0; degree <= plan->order; degree++)
        if (plan->wide_gains[degree])
            return 1;
    return 0;
}

int wide_gains(const WideJob *job, int32_t degree)
{
    return job->plan->wide_gains[degree];
}

/* How many pairs of factors are moved before the kernel runs. */
static int32_t steps_held(int32_t count)
{
    int32_t steps = HELD_NUMBERS / (count * WIDE_LANES);
    return steps < 1 ? 1 : steps > MOST_STEPS ? MOST_STEPS : steps;
}

int wide_make(WideJob *job, const Plan *plan, const KernelSet *set)
{
    /* Degree 0 has one block and is never wide. */
    int64_t block = inner_count(plan, plan->order > 0 ? plan->order - 1 : 0);
    int64_t held = block * WIDE_LANES > HELD_NUMBERS ? block * WIDE_LANES : HELD_NUMBERS;
    size_t numbers = (size_t)(2 * held + block * WIDE_LANES + 2 * block);
    double *memory = aligned_alloc(64, (numbers * sizeof *memory + 127) / 64 * 64);
    if (!memory)
        return -1;
    *job = (WideJob){plan,
                     set->wide,
                     memory,
                     memory + held,
                     memory + 2 * held,
                     memory + 2 * held + block * WIDE_LANES,
                     memory + 2 * held + block * WIDE_LANES + block};
    memset(job->zeros, 0, (size_t)block * sizeof *memory);
    return 0;
}

void wide_free(WideJob *job)
{
    free(job->left);
}

/* The pairs of the lanes of one group. */
typedef struct {
    int32_t block[WIDE_LANES];
    int64_t start[WIDE_LANES], count[WIDE_LANES];
    int64_t most;
} Group;

static Group group_of(const WideJob *job, const WideSums *wanted, int32_t first, int32_t stop)
{
    const Plan *plan = job->plan;
    Group group = {.most = 0};
    for (int lane = 0; lane < WIDE_LANES; lane++) {
        int32_t block = first + lane < stop ? plan->wide_order[first + lane] : -1;
        group.block[lane] = block;
        group.start[lane] = block < 0 ? 0 : plan_cut(plan, block, wanted->from);
        group.count[lane] =
            block < 0 ? 0 : plan_cut(plan, block, wanted->to + 1) - group.start[lane];
        if (wanted->half)
            group.count[lane] /= 2;
        group.most = group.count[lane] > group.most ? group.count[lane] : group.most;
    }
    return group;
}

/* Move the factors of one step to lanes. */
static void move_step(const WideJob *job, const WideSums *wanted, const Group *group, int64_t step,
                      int32_t count, int32_t place)
{
    const Plan *plan = job->plan;
    const double *left[WIDE_LANES], *right[WIDE_LANES];
    for (int lane = 0; lane < WIDE_LANES; lane++) {
        int64_t pair = group->start[lane] + step;
        int used = step < group->count[lane];
        left[lane] = used ? wanted->left + plan->left_at[pair] : job->zeros;
        right[lane] = used ? wanted->right + plan->right_at[pair] : job->zeros;
    }
    size_t at = (size_t)place * (size_t)count * WIDE_LANES;
    job->family->gather(count, left, job->left + at);
    job->family->gather(count, right, job->right + at);
}

static void sum_of_group(const WideJob *job, const WideSums *wanted, const Group *group,
                         int32_t count, int32_t held)
{
    const Plan *plan = job->plan;
    int32_t offsets[MOST_STEPS];
    for (int32_t place = 0; place < held; place++)
        offsets[place] = place * count;
    BlockPairs pairs = {offsets, offsets, 0, wanted->first, 0};
    for (int64_t step = 0; step < group->most; step += pairs.count) {
        int64_t rest = group->most - step;
        pairs.keep = step > 0;
        pairs.count = (int32_t)(rest < held ? rest : held);
        for (int32_t place = 0; place < pairs.count; place++)
            move_step(job, wanted, group, step + place, count, place);
        wide_product(job->family, plan->inner_variables, wanted->order, job->left, job->right,
                     job->sums, &pairs);
    }
}

void wide_sums(const WideJob *job, const WideSums *wanted)
{
    const Plan *plan = job->plan;
    int32_t count = inner_count(plan, wanted->order);
    int32_t held = steps_held(count);
    int32_t stop = plan->degree_start[wanted->degree + 1];
    for (int32_t first = plan->degree_start[wanted->degree]; first < stop; first += WIDE_LANES) {
        Group group = group_of(job, wanted, first, stop);
        double *rows[WIDE_LANES];
        for (int lane = 0; lane < WIDE_LANES; lane++)
            rows[lane] = group.block[lane] < 0
                             ? job->unused
                             : wanted->result + (plan->offset[group.block[lane]] - wanted->origin);
        if (!group.most)
            memset(job->sums, 0, (size_t)count * WIDE_LANES * sizeof(double));
        sum_of_group(job, wanted, &group, count, held);
        job->family->scatter(count, job->sums, rows);
    }
}
