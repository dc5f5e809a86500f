/*
 * preload.so: stands between a program and libibverbs, librdmacm and the
 * allocations of libc, traces its calls or makes chosen ones fail.
 *
 * In: the calls that come from the program itself (those between
 * libraries pass), and the environment:
 *   TRACE      calls: a line for each call, event and completion
 *              count: how often each function was called, at the end,
 *              and how many microseconds a call took, on average
 *              sites: the same for each call site, and what was received
 *   TRACE_OUT  a file for all this, instead of standard error
 *   FAULT      call:SITE:N:ERRNO    the site's N-th call fails
 *              wc:N:STATUS          the N-th completion has that status
 *              event:N:EVENT        the N-th event is that one instead
 *              or what a hostile peer does: see hostile.c
 *              With it, TRACE_OUT gets "fault ..." when it is injected,
 *              "peer" when a server takes a client's request, and at the
 *              end "leak ..." for each object that is left.
 * Out: lines that end in " @SITE", the offset of the call in the program,
 * which lab/trace/trace turns into chapter and line.
 *
 * Without TRACE and FAULT it does nothing.  It has no limit that a
 * program of the course reaches; one that it does reach ends the program
 * with status 99 and a message.
 *
 * Functions of the libraries are replaced by name (see `calls`).  Those
 * that the header calls inline go through the context's operations:
 * these are exchanged as soon as a call shows us a context.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <netdb.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>

#define CALLER __builtin_return_address(0)

static bool tracing, counting, listing, injecting;
static int out = -1;
static uint64_t epoch;
static uintptr_t base, text_begin, text_end;
/* Taken twice when libc frees what it has used for a line of ours. */
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

enum fault_kind {
    NO_FAULT, FAULT_CALL, FAULT_WC, FAULT_EVENT,
    FAULT_DIE, FAULT_STOP, FAULT_PRIVATE, FAULT_SEND, /* hostile.c */
};

static struct {
    enum fault_kind kind;
    uintptr_t site;
    uint64_t nth;
    int what;       /* an errno, a status or an event */
    bool done, of_release;
} fault;

static uint64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void __attribute__((noreturn)) die(const char *why)
{
    dprintf(2, "preload.so: %s\n", why);
    _exit(99);
}

static void *find(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);

    if (!found)
        die(name);
    return found;
}

/* -- Lines --------------------------------------------------------- */

struct call {
    const char *name;
    uintptr_t site;
    uint64_t start;
    int error;       /* if it must fail */
    void *object;    /* that it releases */
    int arguments;
    char told[120];  /* what it has left in an argument */
    size_t length;
    char text[2000];
};

static void __attribute__((format(printf, 2, 3)))
add(struct call *c, const char *format, ...)
{
    size_t room = sizeof(c->text) - c->length;
    va_list args;
    int n;

    if (!tracing)
        return;
    va_start(args, format);
    n = vsnprintf(c->text + c->length, room, format, args);
    va_end(args);
    if (n > 0)
        c->length += (size_t)n < room ? (size_t)n : room - 1;
}

/* To be printed behind the call's result. */
static void __attribute__((format(printf, 2, 3)))
tell(struct call *c, const char *format, ...)
{
    size_t used = strlen(c->told);
    va_list args;

    if (!tracing || used + 3 > sizeof(c->told))
        return;
    strcpy(c->told + used, ", ");
    va_start(args, format);
    vsnprintf(c->told + used + 2, sizeof(c->told) - used - 2, format,
              args);
    va_end(args);
}

static void put(const char *text, size_t length)
{
    ssize_t n = write(out, text, length);

    (void)n; /* nobody to tell */
}

static int thread_number(void)
{
    static __thread int mine;
    static int last;

    if (!mine)
        mine = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
    return mine;
}

static __thread struct {
    uint64_t times;
    uintptr_t site;
    int cq;
} vain; /* polls that found nothing */

static void print_at(uint64_t when, const char *text, uintptr_t site)
{
    char line[2200], thread[16] = "";
    int n;

    if (thread_number() > 1)
        snprintf(thread, sizeof(thread), "[%d] ", thread_number());
    n = snprintf(line, sizeof(line), "%9" PRIu64 " %s%s  @%" PRIxPTR "\n",
                 (when - epoch) / 1000, thread, text, site);
    if (n > 0)
        put(line, (size_t)n < sizeof(line) ? (size_t)n
                                           : sizeof(line) - 1);
}

static void print_vain(uint64_t now)
{
    char text[80];

    if (!vain.times)
        return;
    snprintf(text, sizeof(text),
             "ibv_poll_cq(cq%d): nothing, %" PRIu64 " times", vain.cq,
             vain.times);
    vain.times = 0;
    print_at(now, text, vain.site);
}

/* -- Objects: their names in the trace, and who releases them ------ */

/* Addresses are inverted: a leak checker must not find them here. */
static struct object {
    uintptr_t inverse;
    const char *kind;
    int number;
    uintptr_t site;
    void *buffer;        /* of a region, inverted */
    bool alive, excused;
} objects[8192];
static int last_object;

static struct object *look(const void *p)
{
    int i;

    for (i = last_object - 1; i >= 0; i--)
        if (objects[i].inverse == ~(uintptr_t)p)
            return &objects[i];
    return NULL;
}

static struct object *name_it(const char *kind, const void *p)
{
    struct object *o = look(p);
    int i, number = 1;

    for (i = 0; i < last_object; i++)
        if (!strcmp(objects[i].kind, kind) &&
            objects[i].number >= number)
            number = objects[i].number + 1;
    if (!o || o->alive) {
        for (i = 0; i < last_object && objects[i].inverse; i++)
            ;
        if (i == sizeof(objects) / sizeof(objects[0]))
            die("too many objects");
        o = &objects[i];
        if (i == last_object)
            last_object++;
    }
    *o = (struct object){
        .inverse = ~(uintptr_t)p,
        .kind = kind,
        .number = number,
    };
    return o;
}

enum made_by { AS_RESULT, IN_ARGUMENT };

static void made(struct call *c, enum made_by by, const char *kind,
                 void *p)
{
    struct object *o;

    pthread_mutex_lock(&lock);
    o = name_it(kind, p);
    o->alive = true;
    o->site = c->site;
    if (!strcmp(kind, "mr"))
        o->buffer = (void *)~(uintptr_t)((struct ibv_mr *)p)->addr;
    if (by == IN_ARGUMENT)
        tell(c, "%s%d", o->kind, o->number);
    pthread_mutex_unlock(&lock);
}

/* The allocation that an address lies in, or the nearest one below. */
static struct object *allocation_of(uintptr_t address)
{
    struct object *o, *best = NULL;

    for (o = objects; o < objects + last_object; o++)
        if (o->alive && !strcmp(o->kind, "memory") &&
            ~o->inverse <= address &&
            (!best || ~o->inverse > ~best->inverse))
            best = o;
    return best;
}

static void released(struct call *c, bool success)
{
    struct object *o, *buffer;

    pthread_mutex_lock(&lock);
    o = look(c->object);
    if (o && (success || !strcmp(o->kind, "event"))) {
        o->alive = false;
        if (!strcmp(o->kind, "memory") || !strcmp(o->kind, "event"))
            *o = (struct object){.kind = ""};
    } else if (o && fault.of_release) {
        o->excused = true;
        buffer = o->buffer ? allocation_of(~(uintptr_t)o->buffer) : NULL;
        if (buffer)
            buffer->excused = true;
    }
    pthread_mutex_unlock(&lock);
}

static void add_object(struct call *c, const char *kind, const void *p)
{
    struct object *o;

    if (!tracing)
        return;
    if (!p) {
        add(c, "NULL");
        return;
    }
    pthread_mutex_lock(&lock);
    o = look(p);
    if (!o)
        o = name_it(kind, p);
    add(c, "%s%d", o->kind, o->number);
    pthread_mutex_unlock(&lock);
}

/* -- Arguments ----------------------------------------------------- */

static void comma(struct call *c)
{
    if (c->arguments++)
        add(c, ", ");
}

static void show_pointer(struct call *c, const void *p)
{
    comma(c);
    if (tracing && p && look(p))
        add_object(c, "", p);
    else
        add(c, p ? "%p" : "NULL", p);
}

static void show_ibv_device(struct call *c, struct ibv_device *device)
{
    comma(c);
    add(c, "%s", ibv_get_device_name(device));
}

static void show_number(struct call *c, long long n)
{
    comma(c);
    add(c, "%lld", n);
}

static void show_char(struct call *c, const char *s)
{
    comma(c);
    add(c, s ? "\"%.60s\"" : "NULL", s);
}

static void show_object(struct call *c, const char *kind,
                        const void *p)
{
    comma(c);
    add_object(c, kind, p);
}

struct word {
    unsigned int value;
    const char *text;
};

static void add_word(struct call *c, const struct word *w,
                     unsigned int value)
{
    for (; w->text; w++)
        if (w->value == value) {
            add(c, "%s", w->text);
            return;
        }
    add(c, "%u", value);
}

static void add_flags(struct call *c, const struct word *w,
                      unsigned int flags)
{
    const char *between = "";

    for (; w->text; w++)
        if (flags & w->value) {
            add(c, "%s%s", between, w->text);
            between = "|";
            flags &= ~w->value;
        }
    if (flags || !*between)
        add(c, "%s%#x", between, flags);
}

#define WORD(prefix, name) {prefix##name, #name}

static const struct word access_words[] = {
    WORD(IBV_ACCESS_, LOCAL_WRITE),   WORD(IBV_ACCESS_, REMOTE_WRITE),
    WORD(IBV_ACCESS_, REMOTE_READ),   WORD(IBV_ACCESS_, REMOTE_ATOMIC),
    WORD(IBV_ACCESS_, MW_BIND),       WORD(IBV_ACCESS_, ZERO_BASED),
    WORD(IBV_ACCESS_, ON_DEMAND),     WORD(IBV_ACCESS_, HUGETLB),
    WORD(IBV_ACCESS_, RELAXED_ORDERING), {0},
};

static const struct word opcode_words[] = {
    WORD(IBV_WR_, RDMA_WRITE), WORD(IBV_WR_, RDMA_WRITE_WITH_IMM),
    WORD(IBV_WR_, SEND), WORD(IBV_WR_, SEND_WITH_IMM),
    WORD(IBV_WR_, RDMA_READ), WORD(IBV_WR_, ATOMIC_CMP_AND_SWP),
    WORD(IBV_WR_, ATOMIC_FETCH_AND_ADD), WORD(IBV_WR_, LOCAL_INV),
    WORD(IBV_WR_, BIND_MW), WORD(IBV_WR_, SEND_WITH_INV), {0},
};

static const struct word send_words[] = {
    WORD(IBV_SEND_, FENCE), WORD(IBV_SEND_, SIGNALED),
    WORD(IBV_SEND_, SOLICITED), WORD(IBV_SEND_, INLINE), {0},
};

static const struct word wc_words[] = {
    WORD(IBV_WC_, SEND), WORD(IBV_WC_, RDMA_WRITE),
    WORD(IBV_WC_, RDMA_READ), WORD(IBV_WC_, COMP_SWAP),
    WORD(IBV_WC_, FETCH_ADD), WORD(IBV_WC_, BIND_MW),
    WORD(IBV_WC_, LOCAL_INV), WORD(IBV_WC_, RECV),
    WORD(IBV_WC_, RECV_RDMA_WITH_IMM), {0},
};

static const struct word wc_flag_words[] = {
    WORD(IBV_WC_, GRH), WORD(IBV_WC_, WITH_IMM),
    WORD(IBV_WC_, WITH_INV), {0},
};

static const struct word qp_words[] = {
    WORD(IBV_QPT_, RC), WORD(IBV_QPT_, UC), WORD(IBV_QPT_, UD),
    WORD(IBV_QPT_, XRC_SEND), WORD(IBV_QPT_, XRC_RECV), {0},
};

static const struct word state_words[] = {
    WORD(IBV_QPS_, RESET), WORD(IBV_QPS_, INIT), WORD(IBV_QPS_, RTR),
    WORD(IBV_QPS_, RTS), WORD(IBV_QPS_, SQD), WORD(IBV_QPS_, SQE),
    WORD(IBV_QPS_, ERR), {0},
};

static const struct word mask_words[] = {
    WORD(IBV_QP_, STATE), WORD(IBV_QP_, ACCESS_FLAGS),
    WORD(IBV_QP_, PKEY_INDEX), WORD(IBV_QP_, PORT),
    WORD(IBV_QP_, QKEY), WORD(IBV_QP_, AV), WORD(IBV_QP_, PATH_MTU),
    WORD(IBV_QP_, TIMEOUT), WORD(IBV_QP_, RETRY_CNT),
    WORD(IBV_QP_, RNR_RETRY), WORD(IBV_QP_, RQ_PSN),
    WORD(IBV_QP_, MAX_QP_RD_ATOMIC), WORD(IBV_QP_, MIN_RNR_TIMER),
    WORD(IBV_QP_, SQ_PSN), WORD(IBV_QP_, MAX_DEST_RD_ATOMIC),
    WORD(IBV_QP_, CAP), WORD(IBV_QP_, DEST_QPN), {0},
};

static const struct word ps_words[] = {
    WORD(RDMA_PS_, TCP), WORD(RDMA_PS_, UDP), WORD(RDMA_PS_, IB), {0},
};

static void show_arg_access(struct call *c, unsigned int access)
{
    comma(c);
    add_flags(c, access_words, access);
}

static void show_arg_attr_mask(struct call *c, int mask)
{
    comma(c);
    add_flags(c, mask_words, (unsigned int)mask);
}

static void show_arg_ps(struct call *c, enum rdma_port_space ps)
{
    comma(c);
    add_word(c, ps_words, ps);
}

static void show_sockaddr(struct call *c, const struct sockaddr *a)
{
    char host[INET6_ADDRSTRLEN] = "?";
    in_port_t port = 0;

    comma(c);
    if (!a) {
        add(c, "NULL");
        return;
    }
    if (a->sa_family == AF_INET) {
        inet_ntop(AF_INET, &((const struct sockaddr_in *)a)->sin_addr,
                  host, sizeof(host));
        port = ((const struct sockaddr_in *)a)->sin_port;
    } else if (a->sa_family == AF_INET6) {
        inet_ntop(AF_INET6,
                  &((const struct sockaddr_in6 *)a)->sin6_addr, host,
                  sizeof(host));
        port = ((const struct sockaddr_in6 *)a)->sin6_port;
    }
    add(c, "%s port %u", host, ntohs(port));
}

static void add_cap(struct call *c, enum ibv_qp_type type,
                    const struct ibv_qp_cap *cap)
{
    add_word(c, qp_words, type);
    add(c, ", send %u x %u, recv %u x %u", cap->max_send_wr,
        cap->max_send_sge, cap->max_recv_wr, cap->max_recv_sge);
    if (cap->max_inline_data)
        add(c, ", inline %u", cap->max_inline_data);
}

static void show_ibv_qp_init_attr(struct call *c,
                                  const struct ibv_qp_init_attr *a)
{
    comma(c);
    add(c, "{");
    add_cap(c, a->qp_type, &a->cap);
    add(c, ", ");
    add_object(c, "cq", a->send_cq);
    add(c, ", ");
    add_object(c, "cq", a->recv_cq);
    add(c, "}");
}

static void show_ibv_qp_attr(struct call *c, const struct ibv_qp_attr *a)
{
    comma(c);
    add(c, "{qp_state ");
    add_word(c, state_words, a->qp_state);
    add(c, "}");
}

static void show_rdma_conn_param(struct call *c,
                                 const struct rdma_conn_param *p)
{
    comma(c);
    if (!p) {
        add(c, "NULL");
        return;
    }
    add(c, "{private_data_len %u, retry_count %u, rnr_retry_count %u",
        p->private_data_len, p->retry_count, p->rnr_retry_count);
    if (p->responder_resources || p->initiator_depth)
        add(c, ", responder_resources %u, initiator_depth %u",
            p->responder_resources, p->initiator_depth);
    add(c, "}");
}

static void add_sges(struct call *c, const struct ibv_sge *s, int n)
{
    int i;

    for (i = 0; i < n; i++)
        add(c, ", %u bytes lkey %#x", s[i].length, s[i].lkey);
}

static bool is_remote(enum ibv_wr_opcode opcode)
{
    return opcode == IBV_WR_RDMA_READ || opcode == IBV_WR_RDMA_WRITE ||
           opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
}

static void show_ibv_send_wr(struct call *c, const struct ibv_send_wr *w)
{
    for (; w; w = w->next) {
        comma(c);
        add(c, "{wr_id %" PRIu64 ", ", w->wr_id);
        add_word(c, opcode_words, w->opcode);
        add_sges(c, w->sg_list, w->num_sge);
        if (is_remote(w->opcode))
            add(c, ", remote %#" PRIx64 " rkey %#x",
                w->wr.rdma.remote_addr, w->wr.rdma.rkey);
        if (w->send_flags) {
            add(c, ", ");
            add_flags(c, send_words, w->send_flags);
        }
        add(c, "}");
    }
}

static void show_ibv_recv_wr(struct call *c, const struct ibv_recv_wr *w)
{
    for (; w; w = w->next) {
        comma(c);
        add(c, "{wr_id %" PRIu64, w->wr_id);
        add_sges(c, w->sg_list, w->num_sge);
        add(c, "}");
    }
}

static void tell_ibv_async_event(struct call *c,
                                 const struct ibv_async_event *event)
{
    tell(c, "%s", ibv_event_type_str(event->event_type));
}

static void tell_ibv_port_attr(struct call *c,
                               const struct ibv_port_attr *p)
{
    tell(c, "%s", ibv_port_state_str(p->state));
}

/* -- Calls --------------------------------------------------------- */

static struct site {
    uintptr_t at;
    const char *name;
    uint64_t calls, ns;
    bool may_fail, releases, on_socket;
} sites[1024];

static uint64_t completions, events;
static char event_names[4096];

static struct site *site_of(uintptr_t at, const char *name)
{
    struct site *s;

    for (s = sites; s->name; s++)
        if (s->at == at && s->name == name)
            return s;
    if (s == &sites[sizeof(sites) / sizeof(sites[0]) - 1])
        die("too many call sites");
    s->at = at;
    s->name = name;
    return s;
}

static void hostile_step(const struct site *s);

/* Returns false for a call that is not the program's own. */
static bool begin(struct call *c, const char *name, void *caller,
                  bool may_fail, bool releases)
{
    uintptr_t at = (uintptr_t)caller - 1;
    int kept = errno;
    struct site *s;

    if (at < text_begin || at >= text_end)
        return false;
    c->name = name;
    c->site = at - base;
    c->error = 0;
    c->arguments = 0;
    c->length = 0;
    c->told[0] = '\0';
    c->object = NULL;
    add(c, "%s(", name);
    pthread_mutex_lock(&lock);
    s = site_of(c->site, name);
    s->may_fail = may_fail;
    s->releases = releases;
    s->calls++;
    hostile_step(s);
    if (fault.kind == FAULT_CALL && fault.site == c->site && may_fail &&
        s->calls == fault.nth) {
        c->error = fault.what;
        fault.of_release = releases;
        fault.done = true;
        dprintf(out, "fault %s\n", name);
    }
    pthread_mutex_unlock(&lock);
    if (tracing || counting)
        c->start = now_ns();
    errno = kept;
    return true;
}

static bool must_fail(const struct call *c)
{
    return c->error != 0;
}

static void finish(struct call *c)
{
    uint64_t now = now_ns();

    if (now - c->start > 1000000)
        add(c, ", after %.1f ms", (double)(now - c->start) / 1e6);
    print_vain(c->start);
    print_at(now, c->text, c->site);
}

/* What a call took, if we count. */
static void account(struct call *c)
{
    uint64_t now;

    if (!counting)
        return;
    now = now_ns();
    pthread_mutex_lock(&lock);
    site_of(c->site, c->name)->ns += now - c->start;
    pthread_mutex_unlock(&lock);
}

static void end(struct call *c)
{
    int kept = errno;

    account(c);
    if (tracing) {
        add(c, ")");
        finish(c);
    }
    errno = kept;
}

static void end_number(struct call *c, long long result, bool is_errno)
{
    int kept = errno;

    account(c);
    if (tracing) {
        add(c, ") = %lld", result);
        if (result < 0 || (is_errno && result))
            add(c, " (%s)",
                strerror(is_errno ? (int)result : kept));
        add(c, "%s", c->told);
        finish(c);
    }
    errno = kept;
}

static void end_pointer(struct call *c, const void *result)
{
    int kept = errno;

    account(c);
    if (tracing) {
        add(c, ") = ");
        add_object(c, "pointer", result);
        if (!result)
            add(c, " (%s)", strerror(kept));
        finish(c);
    }
    errno = kept;
}

/* A server has got a client; whoever injects faults wants to know. */
static void note_peer(void)
{
    if (injecting)
        dprintf(out, "peer\n");
}

/* -- Events -------------------------------------------------------- */

static void take_event(struct call *c, struct rdma_cm_event *event,
                       const char *how)
{
    if (event->event == RDMA_CM_EVENT_CONNECT_REQUEST)
        note_peer();
    pthread_mutex_lock(&lock);
    events++;
    if (listing && strlen(event_names) < sizeof(event_names) - 60)
        sprintf(event_names + strlen(event_names), "event %" PRIu64
                " %s %s\n", events, rdma_event_str(event->event), how);
    if (fault.kind == FAULT_EVENT && events == fault.nth) {
        event->event = (enum rdma_cm_event_type)fault.what;
        switch (event->event) {
        case RDMA_CM_EVENT_REJECTED:
            event->status = 28;     /* by the consumer */
            event->param.conn.private_data_len = 0;
            break;
        case RDMA_CM_EVENT_DEVICE_REMOVAL:
            event->status = 0;
            break;
        default:
            event->status = -ETIMEDOUT;
        }
        fault.done = true;
        dprintf(out, "fault %s\n", rdma_event_str(event->event));
    }
    tell(c, "%s, status %d", rdma_event_str(event->event),
         event->status);
    pthread_mutex_unlock(&lock);
}

/* An id without a channel of the program's waits for its event itself.
 * A call that iWARP refuses at once leaves the event of the call before. */
static int waited(struct call *c, struct rdma_cm_id *id, int result)
{
    if (result && id && id->event && errno == ECONNREFUSED &&
        id->event->event == RDMA_CM_EVENT_REJECTED)
        tell(c, "%s, status %d", rdma_event_str(id->event->event),
             id->event->status);
    if (result || !id || !id->event)
        return result;
    take_event(c, id->event, "waited");
    if (!id->event->status)
        return 0;
    errno = id->event->event == RDMA_CM_EVENT_REJECTED
                ? ECONNREFUSED
                : -id->event->status;
    return -1;
}

/* -- Operations of a context --------------------------------------- */

static struct known {
    struct ibv_context *context;
    struct ibv_context_ops ops;
    struct verbs_context verbs;
} contexts[64];

static struct known *known_as(struct ibv_context *context)
{
    struct known *k;

    for (k = contexts; k->context; k++)
        if (k->context == context)
            return k;
    die("a context that no call has shown");
}

static void print_completion(const struct ibv_wc *wc, uintptr_t site)
{
    struct call c = {.length = 0};

    add(&c, "    completion {wr_id %" PRIu64 ", %s", wc->wr_id,
        ibv_wc_status_str(wc->status));
    if (wc->status == IBV_WC_SUCCESS) {
        add(&c, ", ");
        add_word(&c, wc_words, wc->opcode);
        if (wc->opcode & IBV_WC_RECV)
            add(&c, ", byte_len %u", wc->byte_len);
        if (wc->wc_flags) {
            add(&c, ", ");
            add_flags(&c, wc_flag_words, wc->wc_flags);
        }
    } else {
        add(&c, ", vendor_err %#x", wc->vendor_err);
    }
    add(&c, ", qp_num %#x}", wc->qp_num);
    print_at(now_ns(), c.text, site);
}

/*
 * A poll counts only when it finds something: how often others run is
 * chance.  So the N-th poll fails if N-1 have found something.
 */
static int op_ibv_poll_cq(struct ibv_cq *cq, int num_entries,
                          struct ibv_wc *wc)
{
    struct call c;
    int i, n = -1;

    if (!begin(&c, "ibv_poll_cq", CALLER, true, false))
        return known_as(cq->context)->ops.poll_cq(cq, num_entries, wc);
    if (!must_fail(&c))
        n = known_as(cq->context)->ops.poll_cq(cq, num_entries, wc);
    pthread_mutex_lock(&lock);
    if (n == 0 && !counting)
        site_of(c.site, c.name)->calls--;
    for (i = 0; i < n; i++)
        if (++completions == fault.nth && fault.kind == FAULT_WC) {
            wc[i].status = (enum ibv_wc_status)fault.what;
            fault.done = true;
            dprintf(out, "fault %s\n", ibv_wc_status_str(wc[i].status));
        }
    pthread_mutex_unlock(&lock);
    account(&c);
    if (!tracing)
        return n;
    if (n == 0) {
        vain.times++;
        vain.site = c.site;
        vain.cq = look(cq) ? look(cq)->number : 0;
        return n;
    }
    show_object(&c, "cq", cq);
    show_number(&c, num_entries);
    end_number(&c, n, false);
    for (i = 0; i < n; i++)
        print_completion(&wc[i], c.site);
    return n;
}

static void patch(struct known *k, struct ibv_context *context);

/* Exchange the operations of a context that we see for the first time. */
static void know(struct ibv_context *context)
{
    struct known *k = contexts;

    if (!context || context->ops.poll_cq == op_ibv_poll_cq)
        return;
    pthread_mutex_lock(&lock);
    while (k->context && k->context != context)
        k++;
    if (k == &contexts[sizeof(contexts) / sizeof(contexts[0]) - 1])
        die("too many contexts");
    k->context = context;
    k->ops = context->ops;
    patch(k, context);
    context->ops.poll_cq = op_ibv_poll_cq;
    pthread_mutex_unlock(&lock);
}

/* -- Allocations that the table cannot express --------------------- */

void free(void *p)
{
    static void (*real)(void *);
    static bool asked;
    struct call c;
    bool own = p && begin(&c, "free", CALLER, false, true);

    if (own) {
        show_pointer(&c, p);
        end(&c);
    }
    if (p && (tracing || injecting)) { /* libraries free for programs */
        c.object = p;
        released(&c, true);
    }
    if (!real) {
        if (asked) /* dlsym itself frees: once, a few bytes */
            return;
        asked = true;
        real = find("free");
    }
    real(p);
}

void *realloc(void *p, size_t size)
{
    static void *(*real)(void *, size_t);
    struct call c;
    void *result = NULL;

    if (!real)
        real = find("realloc");
    if (!begin(&c, "realloc", CALLER, true, false))
        return real(p, size);
    c.object = p;
    show_pointer(&c, p);
    show_number(&c, (long long)size);
    if (must_fail(&c)) {
        errno = c.error;
    } else {
        result = real(p, size);
        if (result) {
            released(&c, true);
            made(&c, AS_RESULT, "memory", result);
        }
    }
    end_pointer(&c, result);
    return result;
}

#include "hostile.c"
#include "wrappers.c"

/* -- Beginning and end --------------------------------------------- */

static int find_text(struct dl_phdr_info *info, size_t size, void *data)
{
    int i;

    (void)size;
    (void)data;
    base = info->dlpi_addr;
    for (i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];

        if (p->p_type == PT_LOAD && p->p_flags & PF_X) {
            text_begin = base + p->p_vaddr;
            text_end = text_begin + p->p_memsz;
        }
    }
    return 1; /* the program comes first; that is enough */
}

static void read_fault(const char *text)
{
    uint64_t site = 0;

    if (read_hostile(text))
        return;
    if (sscanf(text, "call:%" SCNx64 ":%" SCNu64 ":%d", &site,
               &fault.nth, &fault.what) == 3)
        fault.kind = FAULT_CALL;
    else if (sscanf(text, "wc:%" SCNu64 ":%d", &fault.nth,
                    &fault.what) == 2)
        fault.kind = FAULT_WC;
    else if (sscanf(text, "event:%" SCNu64 ":%d", &fault.nth,
                    &fault.what) == 2)
        fault.kind = FAULT_EVENT;
    else
        die("FAULT is call:SITE:N:ERRNO, wc:N:STATUS or event:N:EVENT");
    fault.site = site;
}

static void __attribute__((constructor)) start(void)
{
    const char *what = getenv("TRACE"), *file = getenv("TRACE_OUT");
    const char *how = getenv("FAULT");

    if (!what && !how)
        return;
    epoch = now_ns();
    out = file ? open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
                      0666)
               : fcntl(2, F_DUPFD_CLOEXEC, 100);
    if (out < 0)
        die("cannot open TRACE_OUT");
    tracing = what && !strcmp(what, "calls");
    counting = what && !strcmp(what, "count");
    listing = what && !strcmp(what, "sites");
    injecting = how != NULL;
    if (how)
        read_fault(how);
    dl_iterate_phdr(find_text, NULL);
}

static void print_counts(void)
{
    struct site *s, *t;

    for (s = sites; s->name; s++) {
        uint64_t calls = 0, ns = 0;

        for (t = sites; t < s && strcmp(t->name, s->name); t++)
            ;
        if (t < s)
            continue;
        for (; t->name; t++)
            if (!strcmp(t->name, s->name)) {
                calls += t->calls;
                ns += t->ns;
            }
        if (calls)
            dprintf(out, "%9" PRIu64 " %-24s %9.1f us each\n", calls,
                    s->name, (double)ns / 1e3 / (double)calls);
    }
}

static void __attribute__((destructor)) stop(void)
{
    struct site *s;
    struct object *o;

    if (tracing)
        print_vain(now_ns());
    if (counting)
        print_counts();
    if (listing) {
        for (s = sites; s->name; s++)
            if (s->may_fail && s->calls)
                dprintf(out, "call %" PRIxPTR " %" PRIu64 " %s %s\n",
                        s->at, s->calls, s->name,
                        s->releases ? "release" : "-");
            else if (s->on_socket)
                dprintf(out, "tcp %" PRIxPTR " %" PRIu64 " %s -\n",
                        s->at, s->calls, s->name);
        list_hostile();
        dprintf(out, "%s", event_names);
        dprintf(out, "completions %" PRIu64 "\n", completions);
    }
    for (o = objects; injecting && o < objects + last_object; o++)
        if (o->alive && !o->excused)
            dprintf(out, "leak %s @%" PRIxPTR "\n", o->kind, o->site);
}
