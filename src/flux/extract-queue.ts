/** The queue of the jobs that derive statements. Only who has a language model takes them. */
export const extractQueue = "extract";
