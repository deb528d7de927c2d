/** What one check of `flux doctor` has found. */
export interface Finding {
  readonly check: string;
  /** A warning is something that works, and could be better. */
  readonly result: "ok" | "warning" | "failed";
  readonly detail: string;
  /** What to do about it. */
  readonly fix?: string;
}

export function ok(check: string, detail: string): Finding {
  return { check, result: "ok", detail };
}

export function warning(check: string, detail: string, fix: string): Finding {
  return { check, result: "warning", detail, fix };
}

export function failed(check: string, detail: string, fix: string): Finding {
  return { check, result: "failed", detail, fix };
}
