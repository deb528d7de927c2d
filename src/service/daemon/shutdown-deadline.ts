/** Milliseconds that a daemon may take to end, once it was asked to. */
export const shutdownDeadline = 10_000;
