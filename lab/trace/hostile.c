/*
 * hostile.c: what a hostile or dying peer does; a part of preload.c.
 *
 * In: FAULT, which is one of
 *   die:SITE:N           SIGKILL before the N-th call of a site
 *   stop:SITE:N          SIGSTOP there
 *   private:N:ACT:NUMBER the private data of the N-th rdma_connect,
 *                        rdma_accept or rdma_reject are spoilt
 *   send:N:ACT:NUMBER    the N-th request on a send queue, or the N-th
 *                        write to a socket, is spoilt
 * Acts on the bytes: zeros, ones, random (NUMBER is the seed), byte
 * (NUMBER chooses it), and zero, more (by one) or max with 16 or 32
 * behind it: the big-endian field at the offset NUMBER.  On their
 * length: none, one, short and long (by one byte), far (by a mebibyte).
 * On a send: unsent, twice, leave (a socket only), and where there are
 * such fields address, key and tag.
 * Out: "fault ACT NAME begun=N": N times it had begun to connect.  With
 * TRACE=sites, what could be spoilt: "private N BYTES CALL", "send N
 * BYTES OPCODE", and "tcp SITE CALLS NAME" for the calls on sockets.
 */
#include <signal.h>
#include <sys/socket.h>

static struct {
    char act[16];
    uint64_t number;
    uint64_t sends, privates, begun;
} hostile;

static struct note {
    const char *kind, *name;
    size_t length;
} notes[512];
static int last_note;

static uint64_t scrambled(uint64_t x)
{
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

static bool act_is(const char *act)
{
    return !strcmp(hostile.act, act);
}

static void say_fault(const char *act, const char *name)
{
    fault.done = true;
    dprintf(out, "fault %s %s begun=%" PRIu64 "\n", act, name,
            hostile.begun);
}

/* Returns whether this one is to be spoilt. */
static bool is_chosen(enum fault_kind kind, const char *kind_name,
                      const char *name, size_t length)
{
    bool chosen;
    uint64_t n;

    pthread_mutex_lock(&lock);
    n = kind == FAULT_SEND ? ++hostile.sends : ++hostile.privates;
    if (listing && last_note < (int)(sizeof(notes) / sizeof(notes[0])))
        notes[last_note++] = (struct note){kind_name, name, length};
    chosen = fault.kind == kind && n == fault.nth;
    if (chosen)
        say_fault(hostile.act, name);
    pthread_mutex_unlock(&lock);
    return chosen;
}

/* Before the call of a site; with the lock. */
static void hostile_step(const struct site *s)
{
    bool dies = fault.kind == FAULT_DIE;

    if ((!dies && fault.kind != FAULT_STOP) || fault.done ||
        s->at != fault.site || s->calls != fault.nth)
        return;
    say_fault(dies ? "die" : "stop", s->name);
    kill(getpid(), dies ? SIGKILL : SIGSTOP);
}

/* -- Bytes --------------------------------------------------------- */

static void spoil_field(uint8_t *bytes, size_t length)
{
    size_t width = strstr(hostile.act, "16") ? 2 : 4, i;
    uint8_t *field = bytes + hostile.number;

    if (hostile.number + width > length)
        return;
    if (!strncmp(hostile.act, "more", 4))
        for (i = width; i > 0 && ++field[i - 1] == 0; i--)
            ;
    else
        memset(field, *hostile.act == 'm' ? 0xff : 0, width);
}

static const size_t far = 1 << 20;

/* How long the bytes become, which were so long. */
static size_t spoilt_length(size_t length)
{
    if (act_is("none"))
        return 0;
    if (act_is("one"))
        return 1;
    if (act_is("short"))
        return length ? length - 1 : 0;
    if (act_is("long"))
        return length + 1;
    return act_is("far") ? length + far : length;
}

/* In place; there is room for a longer one. */
static void spoil(uint8_t *bytes, size_t length)
{
    size_t i;

    if (act_is("zeros"))
        memset(bytes, 0, length);
    else if (act_is("ones"))
        memset(bytes, 0xff, length);
    else if (act_is("byte") && length)
        bytes[scrambled(hostile.number) % length] ^= 0x5a;
    else if (strstr(hostile.act, "16") || strstr(hostile.act, "32"))
        spoil_field(bytes, length);
    for (i = 0; act_is("random") && i < length; i++)
        bytes[i] = (uint8_t)scrambled(hostile.number + i);
}

/* Our own memory, with the bytes in it if there are any. */
static uint8_t *copy_of(const void *bytes, size_t length)
{
    uint8_t *copy = calloc(1, length + far + 1);

    if (!copy)
        die("no memory for a hostile act");
    return bytes ? memcpy(copy, bytes, length) : copy;
}

/* -- Private data -------------------------------------------------- */

static const void *spoilt_private(const char *name, const void *data,
                                  uint8_t *length)
{
    uint8_t *copy;

    if (!is_chosen(FAULT_PRIVATE, "private", name, *length))
        return data;
    copy = copy_of(data, *length);
    spoil(copy, *length);
    *length = (uint8_t)spoilt_length(*length);
    return *length ? copy : NULL;
}

typedef int connect_function(struct rdma_cm_id *,
                             struct rdma_conn_param *);

static int call_spoilt(connect_function *real, const char *name,
                       struct rdma_cm_id *id,
                       const struct rdma_conn_param *asked)
{
    struct rdma_conn_param param = {0};

    if (asked)
        param = *asked;
    param.private_data = spoilt_private(name, param.private_data,
                                        &param.private_data_len);
    return real(id, asked ? &param : NULL);
}

static int hostile_rdma_connect(connect_function *real,
                                struct rdma_cm_id *id,
                                struct rdma_conn_param *conn_param)
{
    hostile.begun++;
    return call_spoilt(real, "rdma_connect", id, conn_param);
}

static int hostile_rdma_accept(connect_function *real,
                               struct rdma_cm_id *id,
                               struct rdma_conn_param *conn_param)
{
    return call_spoilt(real, "rdma_accept", id, conn_param);
}

static int hostile_rdma_reject(int (*real)(struct rdma_cm_id *,
                                           const void *, uint8_t),
                               struct rdma_cm_id *id, const void *data,
                               uint8_t length)
{
    data = spoilt_private("rdma_reject", data, &length);
    return real(id, data, length);
}

/* -- Requests on a send queue -------------------------------------- */

static bool is_atomic(enum ibv_wr_opcode opcode)
{
    return opcode == IBV_WR_ATOMIC_CMP_AND_SWP ||
           opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
}

static size_t bytes_of(const struct ibv_send_wr *w)
{
    size_t length = 0;
    int i;

    for (i = 0; i < w->num_sge; i++)
        length += w->sg_list[i].length;
    return length;
}

static const char *name_of(enum ibv_wr_opcode opcode)
{
    const struct word *w;

    for (w = opcode_words; w->text; w++)
        if (w->value == (unsigned int)opcode)
            return w->text;
    return "?";
}

/* Bytes of our own in one element, since the program's region ends. */
static void spoil_bytes(struct ibv_qp *qp, struct ibv_send_wr *w,
                        struct ibv_sge *sge)
{
    size_t length = bytes_of(w), at = 0;
    uint8_t *copy = copy_of(NULL, length);
    struct ibv_mr *mr;
    int i;

    for (i = 0; i < w->num_sge && w->opcode != IBV_WR_RDMA_READ; i++) {
        memcpy(copy + at, (void *)(uintptr_t)w->sg_list[i].addr,
               w->sg_list[i].length);
        at += w->sg_list[i].length;
    }
    spoil(copy, length);
    mr = ibv_reg_mr(qp->pd, copy, length + far + 1,
                    IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
    if (!mr)
        die("ibv_reg_mr for a hostile act");
    sge->addr = (uintptr_t)copy;
    sge->length = (uint32_t)spoilt_length(length);
    sge->lkey = mr->lkey;
    w->sg_list = sge;
    w->num_sge = sge->length != 0;
    if (sge->length > length)
        w->send_flags &= ~(unsigned int)IBV_SEND_INLINE;
}

typedef int post_function(struct ibv_qp *, struct ibv_send_wr *,
                          struct ibv_send_wr **);

static int post_spoilt(post_function *real, struct ibv_qp *qp,
                       struct ibv_send_wr *w)
{
    struct ibv_send_wr *bad, again = *w;
    bool atomic = is_atomic(w->opcode);
    struct ibv_sge sge;

    if (act_is("unsent"))
        return 0;
    if (act_is("twice")) {
        again.send_flags &= ~(unsigned int)IBV_SEND_SIGNALED;
        real(qp, &again, &bad);
    } else if (act_is("address")) {
        if (atomic)
            w->wr.atomic.remote_addr += 4096;
        else
            w->wr.rdma.remote_addr += 4096;
    } else if (act_is("key")) {
        if (atomic)
            w->wr.atomic.rkey += 0x5a5a00;
        else
            w->wr.rdma.rkey += 0x5a5a00;
    } else if (act_is("tag")) {
        w->imm_data = ~w->imm_data;
    } else if (!atomic) {
        spoil_bytes(qp, w, &sge);
    }
    return real(qp, w, &bad);
}

static int hostile_ibv_post_send(post_function *real, struct ibv_qp *qp,
                                 struct ibv_send_wr *wr,
                                 struct ibv_send_wr **bad_wr)
{
    struct ibv_send_wr *bad, one;
    int error = 0;

    if (!listing && fault.kind != FAULT_SEND)
        return real(qp, wr, bad_wr);
    for (; wr && !error; wr = wr->next) {
        one = *wr;
        one.next = NULL;
        *bad_wr = wr;
        if (is_chosen(FAULT_SEND, "send", name_of(wr->opcode),
                      bytes_of(wr)))
            error = post_spoilt(real, qp, &one);
        else
            error = real(qp, &one, &bad);
    }
    return error;
}

/* -- Sockets ------------------------------------------------------- */

/* Is it the program's own call, on a socket, and does anyone ask? */
static bool is_watched(int fd, const char *name, void *caller)
{
    socklen_t length = sizeof(int);
    struct call c;
    int type, kept = errno;
    bool is_socket;

    if (!listing && fault.kind < FAULT_DIE)
        return false;
    is_socket = !getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length);
    errno = kept;
    if (!is_socket || !begin(&c, name, caller, false, false))
        return false;
    pthread_mutex_lock(&lock);
    site_of(c.site, c.name)->on_socket = true;
    pthread_mutex_unlock(&lock);
    return true;
}

#define REAL(name)                                                     \
    static __typeof__(name) *real;                                     \
                                                                       \
    if (!real)                                                         \
    real = find(#name)

static ssize_t send_spoilt(int fd, const void *bytes, size_t length)
{
    size_t n = spoilt_length(length), at;
    uint8_t *copy = copy_of(bytes, length);
    ssize_t sent = 0;
    REAL(send);

    if (act_is("leave"))
        shutdown(fd, SHUT_RDWR);
    if (act_is("unsent") || act_is("leave"))
        n = 0;
    if (act_is("twice"))
        real(fd, bytes, length, MSG_NOSIGNAL);
    spoil(copy, length);
    for (at = 0; at < n && sent >= 0; at += (size_t)sent)
        sent = real(fd, copy + at, n - at, MSG_NOSIGNAL);
    free(copy);
    return (ssize_t)length;
}

ssize_t send(int fd, const void *bytes, size_t length, int flags)
{
    REAL(send);

    if (is_watched(fd, "send", CALLER) &&
        is_chosen(FAULT_SEND, "send", "TCP", length))
        return send_spoilt(fd, bytes, length);
    return real(fd, bytes, length, flags);
}

ssize_t write(int fd, const void *bytes, size_t length)
{
    REAL(write);

    if (is_watched(fd, "write", CALLER) &&
        is_chosen(FAULT_SEND, "send", "TCP", length))
        return send_spoilt(fd, bytes, length);
    return real(fd, bytes, length);
}

ssize_t read(int fd, void *bytes, size_t length)
{
    REAL(read);

    is_watched(fd, "read", CALLER);
    return real(fd, bytes, length);
}

ssize_t recv(int fd, void *bytes, size_t length, int flags)
{
    REAL(recv);

    is_watched(fd, "recv", CALLER);
    return real(fd, bytes, length, flags);
}

int connect(int fd, const struct sockaddr *address, socklen_t length)
{
    REAL(connect);

    if (is_watched(fd, "connect", CALLER))
        hostile.begun++;
    return real(fd, address, length);
}

int shutdown(int fd, int how)
{
    REAL(shutdown);

    is_watched(fd, "shutdown", CALLER);
    return real(fd, how);
}

int close(int fd)
{
    REAL(close);

    is_watched(fd, "close", CALLER);
    return real(fd);
}

/* -- Beginning and end --------------------------------------------- */

static bool read_hostile(const char *text)
{
    static const struct {
        const char *format;
        enum fault_kind kind;
    } acts[] = {
        {"private:%" SCNu64 ":%15[a-z0-9]:%" SCNu64, FAULT_PRIVATE},
        {"send:%" SCNu64 ":%15[a-z0-9]:%" SCNu64, FAULT_SEND},
    };
    size_t i;

    for (i = 0; i < sizeof(acts) / sizeof(acts[0]); i++)
        if (sscanf(text, acts[i].format, &fault.nth, hostile.act,
                   &hostile.number) == 3)
            fault.kind = acts[i].kind;
    if (sscanf(text, "die:%" SCNx64 ":%" SCNu64, &fault.site,
               &fault.nth) == 2)
        fault.kind = FAULT_DIE;
    if (sscanf(text, "stop:%" SCNx64 ":%" SCNu64, &fault.site,
               &fault.nth) == 2)
        fault.kind = FAULT_STOP;
    return fault.kind != NO_FAULT;
}

/* For TRACE=sites. */
static void list_hostile(void)
{
    uint64_t sent = 0, private = 0;
    const struct note *n;

    for (n = notes; n < notes + last_note; n++)
        dprintf(out, "%s %" PRIu64 " %zu %s\n", n->kind,
                *n->kind == 's' ? ++sent : ++private, n->length,
                n->name);
}
