// SPDX-License-Identifier: Apache-2.0
// What the transport over MPI uses of MPI, of which all ranks are in one process: fake_mpi.c.
#pragma once
#include <stddef.h>

typedef struct FakeComm *MPI_Comm;
typedef struct FakeRequest *MPI_Request;
typedef struct MPI_Status {
  int MPI_SOURCE;
} MPI_Status;

enum { MPI_SUCCESS, MPI_FAILED };
enum { MPI_ANY_SOURCE = -1, MPI_MAX_LIBRARY_VERSION_STRING = 256 };
enum { MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE };
enum { MPI_BYTE, MPI_CHAR, MPI_C_BOOL };
enum { MPI_LAND, MPI_BOR };
enum { MPI_COMM_TYPE_SHARED, MPI_ERRORS_RETURN, MPI_INFO_NULL };
#define MPI_REQUEST_NULL  ((MPI_Request)NULL)
#define MPI_STATUS_IGNORE ((MPI_Status *)NULL)
#define MPI_IN_PLACE      NULL
#define MPI_COMM_WORLD    (fake_world())

MPI_Comm fake_world(void);

int MPI_Initialized(int *is);
int MPI_Finalized(int *is);
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int MPI_Query_thread(int *level);
int MPI_Get_library_version(char *text, int *length);
int MPI_Finalize(void);
int MPI_Abort(MPI_Comm comm, int status);

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *out);
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, int info, MPI_Comm *out);
int MPI_Comm_free(MPI_Comm *comm);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *ranks);
int MPI_Comm_set_errhandler(MPI_Comm comm, int handler);
int MPI_Allreduce(const void *own, void *all, int count, int type, int op, MPI_Comm comm);

int MPI_Isend(const void *data, int bytes, int type, int to, int tag, MPI_Comm comm,
              MPI_Request *out);
int MPI_Irecv(void *data, int bytes, int type, int from, int tag, MPI_Comm comm, MPI_Request *out);
int MPI_Recv(void *data, int bytes, int type, int from, int tag, MPI_Comm comm, MPI_Status *status);
int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *found, MPI_Status *status);
int MPI_Test(MPI_Request *request, int *done, MPI_Status *status);
int MPI_Wait(MPI_Request *request, MPI_Status *status);
int MPI_Cancel(MPI_Request *request);
