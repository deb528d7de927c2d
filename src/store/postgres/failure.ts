import { type ErrorCode, FluxError } from "../../model/errors.ts";

/** What PostgreSQL, or the way to it, had against a statement. */
export class DatabaseFailure extends Error {
  override readonly name = "DatabaseFailure";
  /** SQLSTATE, or the code of a network error, or empty. */
  readonly code: string;
  /** Whether the same statements may well succeed in a moment. */
  readonly transient: boolean;
  /** Whether the connection is of no use any more. */
  readonly disconnected: boolean;

  constructor(cause: unknown) {
    super("PostgreSQL reported a failure", { cause });
    const { code, message } = describeCause(cause);
    this.code = code;
    this.disconnected = lostConnection.test(code) || (code === "" && lostConnectionMessage.test(message));
    this.transient = this.disconnected || contention.test(code);
  }

  /** The failure as the users of a ledger see it. Nothing of the cause's own message, which may quote what is stored. */
  toFluxError(): FluxError {
    const { cause } = this;
    const { message, table } = describeCause(cause);
    const fail = (
      code: ErrorCode,
      message: string,
      options: { readonly hint?: string; readonly retryable?: boolean } = {},
    ): FluxError => new FluxError(code, message, { ...options, cause });

    if (this.disconnected) {
      return fail("unavailable", "The connection to PostgreSQL failed, or broke again and again", {
        hint: "See whether it runs at the host and port of the URL.",
        retryable: true,
      });
    }
    if (tls.test(this.code) || (this.code === "" && tlsMessage.test(message))) {
      return fail("unavailable", "No encrypted connection to PostgreSQL could be made", {
        hint: "Check sslmode and the certificates that the URL names.",
      });
    }
    if (this.code === "" && message.startsWith("SASL")) return fail("unavailable", refused, { hint: login });
    switch (this.code) {
      case "ENOTFOUND":
        return fail("unavailable", "The host of PostgreSQL is not known", {
          hint: "Check the host in the URL.",
        });
      case "28P01":
      case "28000":
        return fail("unavailable", refused, { hint: login });
      case "3D000":
        return fail("unavailable", "The PostgreSQL database does not exist", {
          hint: "Create it with: create database … encoding 'UTF8'",
        });
      case "3F000":
        return fail("unavailable", "The PostgreSQL schema does not exist", {
          hint: "Check the option schema.",
        });
      case "42501":
        return fail("unavailable", "The PostgreSQL role lacks a privilege", {
          hint: "It needs a schema that it may use and create tables in, or CREATE on the database to make the schema.",
        });
      case "53300":
        return fail("unavailable", "PostgreSQL has no connection left", {
          hint: "Lower poolSize, or raise max_connections.",
          retryable: true,
        });
      case "55P03":
        return fail("busy", "Another session held a lock for longer than its time-out", { retryable: true });
      case "40001":
      case "40P01":
        return fail("unavailable", "Other sessions were in the way again and again", { retryable: true });
      case "23505":
        return fail("already_exists", `There is already a ${table} with this key`);
      case "57014":
      case "25P04":
        return fail("timeout", "A statement ran into its time-out", {
          hint: "Another process may hold the partition. Raise statementTimeout if the work itself takes so long.",
          retryable: true,
        });
      case "53100":
        return fail("storage_full", "The disk of PostgreSQL is full", { retryable: true });
      case "25006":
        return fail("storage_readonly", "PostgreSQL takes no writes: it is a standby, or set to read only");
      case "54000":
      case "54001":
      case "54011":
        return fail("too_large", "PostgreSQL cannot handle as much at once", {
          hint: "Ask for fewer records.",
        });
      // What pgvector says of vectors that are compared; nothing else that is asked of PostgreSQL ends in it.
      case "22000":
        return fail("dimension_mismatch", "The space has vectors of another length");
      case "XX001":
      case "XX002":
        return fail("storage_corrupt", "PostgreSQL found its data damaged");
      default:
        return fail("storage_failed", `PostgreSQL reported an error (${this.code || "without a code"})`);
    }
  }
}

const refused = "PostgreSQL refused the role or its password";
const login = "Check user and password in the URL, with special characters percent-encoded.";

// Class 08, shutdowns, sessions ended by the server's time-outs, and the network.
const lostConnection =
  /^(08...|57P01|57P02|57P03|57P05|25P03|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)$/;
const lostConnectionMessage =
  /^Connection terminated|^timeout e(xpired|xceeded)|^Client (was closed|has encountered a connection error)/;
const contention = /^(40001|40P01|53300|55P03)$/;
const tls = /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;
const tlsMessage = /SSL/;

function describeCause(cause: unknown): {
  readonly code: string;
  readonly message: string;
  readonly table: string;
} {
  if (!(cause instanceof Error)) return { code: "", message: "", table: "record" };
  // Both addresses of a host were tried.
  if (cause instanceof AggregateError && cause.errors.length > 0) return describeCause(cause.errors[0]);
  const { code, table } = cause as { readonly code?: unknown; readonly table?: unknown };
  return {
    code: typeof code === "string" ? code : "",
    message: cause.message,
    table: typeof table === "string" ? table : "record",
  };
}

/** What is thrown to the caller for anything thrown inside. */
export function publicError(error: unknown): unknown {
  return error instanceof DatabaseFailure ? error.toFluxError() : error;
}
