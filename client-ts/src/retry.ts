type Fetch = (input: Request) => Promise<Response>;

/** fetch that sends a refused call again: see Options.patience. It never waits after the caller's signal. */
export function patient(fetch: Fetch, patience: number): Fetch {
  return async (request) => {
    for (let again = 0; ; again++) {
      const last = again >= patience;
      const attempt = last ? request : request.clone();
      let answer: Response;
      try {
        answer = await fetch(attempt);
      } catch (failure) {
        if (last || request.signal.aborted || !repeatable(request)) throw failure;
        await pause(Math.min(2 ** again, 30), request.signal);
        continue;
      }
      const seconds = Number(answer.headers.get("Retry-After"));
      const refused = answer.status === 429 || (answer.status === 503 && repeatable(request));
      if (last || !refused || !(seconds >= 1)) return answer;
      await answer.body?.cancel();
      await pause(seconds, request.signal);
    }
  };
}

/** Whether a call of which nobody knows what it did may be sent again: after 503 it may have been recorded. */
function repeatable(request: Request): boolean {
  return ["GET", "HEAD", "PUT", "DELETE"].includes(request.method) || request.headers.has("Idempotency-Key");
}

function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, seconds * 1000);
    signal.addEventListener("abort", stop, { once: true });
  });
}
