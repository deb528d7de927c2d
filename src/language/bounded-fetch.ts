import { FluxError } from "../model/errors.ts";

/** Bytes of an answer. Two thousand tokens of JSON are a hundredth of that; what is longer is none that was asked for. */
const maxAnswerBytes = 1_000_000;

/**
 * `fetch` whose answers end with an error when they are larger than anything that was asked for, and that goes nowhere else than it
 * was sent: a redirection would take stored text to another host.
 */
export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: "error" });
  if (response.body === null) return response;
  let left = maxAnswerBytes;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        left -= chunk.byteLength;
        if (left < 0) controller.error(tooLong());
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Response(counted, response);
};

function tooLong(): FluxError {
  return new FluxError("model_failed", "A model's answer is longer than what was asked for", {
    retryable: true,
  });
}
