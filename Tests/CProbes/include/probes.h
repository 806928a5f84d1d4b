#pragma once

/// The number of things that a worker must not be able to do.
int probe_count(void);

/// What a probe tries.
const char *probe_name(int number);

/// Tries it: 0 if it worked, an error number if it did not. The process may be ended instead.
int probe_try(int number);

/// Ends all threads of a worker but the calling one and the first, which does nothing any more.
void probe_leave_threads(void);

/// Ends the calling thread.
void probe_end_thread(void);
