/* The Taylor shift by repeated synthetic division (the scheme of Shaw and Traub, Journal of the ACM
   21, 1974, without its scaling): for each variable, `order` passes of additions from the highest
   power down. Exact for polynomials. */
#include "shift.h"

static void add_multiple(int64_t lanes, int is_complex, const double *factor, const double *from,
                         double *to)
{
    if (!is_complex) {
        for (int64_t lane = 0; lane < lanes; lane++)
            to[lane] += factor[0] * from[lane];
        return;
    }
    for (int64_t lane = 0; lane < lanes; lane += 2) {
        to[lane] += factor[0] * from[lane] - factor[1] * from[lane + 1];
        to[lane + 1] += factor[0] * from[lane + 1] + factor[1] * from[lane];
    }
}

static void shift_variable(const Plan *plan, int32_t variable, int64_t lanes, int is_complex,
                           const double *factor, double *polynomials)
{
    const Neighbours *table = &plan->neighbours[variable];
    for (int32_t pass = 0; pass < plan->order; pass++)
        /* From the last monomial on, so that higher powers are done before lower ones. */
        for (int64_t graded = plan->size - 1; graded >= 0; graded--) {
            int64_t to = plan->place[graded];
            int64_t from = table->product[to];
            if (from >= 0 && table->exponent[to] > pass)
                add_multiple(lanes, is_complex, factor, polynomials + from * lanes,
                             polynomials + to * lanes);
        }
}

void shift_polynomials(const Plan *plan, int64_t lanes, int is_complex, const double *centre,
                       double *polynomials)
{
    int parts = is_complex ? 2 : 1;
    for (int32_t variable = 0; variable < plan->dimension; variable++) {
        const double *factor = centre + (int64_t)variable * parts;
        if (factor[0] != 0 || (is_complex && factor[1] != 0))
            shift_variable(plan, variable, lanes, is_complex, factor, polynomials);
    }
}
