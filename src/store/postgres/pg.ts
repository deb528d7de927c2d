import { FluxError } from "../../model/errors.ts";

/**
 * What we use of the package `pg`, written out: the types of an optional package must not appear among ours, where whoever
 * has not installed it would miss them.
 */
export interface PgClient {
  connect(): Promise<unknown>;
  connect(callback: ConnectCallback): void;
  query(query: PgQuery): Promise<PgResult>;
  end(): Promise<void>;
  getTransactionStatus(): "I" | "T" | "E" | null;
  on(event: "error" | "end", listener: (error?: Error) => void): unknown;
  on(event: "notification", listener: () => void): unknown;
  readonly connection: { readonly stream: { cork(): void; uncork(): void; destroy(): unknown } };
}

type ConnectCallback = (error?: Error | null) => void;

export interface PooledPgClient extends PgClient {
  release(destroy?: boolean): void;
}

export interface PgPool {
  connect(): Promise<PooledPgClient>;
  end(): Promise<void>;
  on(event: "error", listener: () => void): unknown;
}

export interface PgQuery {
  readonly text: string;
  readonly values?: unknown[];
  /** Makes it a prepared statement of the connection. */
  readonly name?: string;
  readonly rowMode: "array";
}

export interface PgResult {
  readonly command: string;
  readonly rows: readonly (readonly (string | null)[])[];
}

export interface PgConfig {
  readonly connectionString: string;
  readonly connectionTimeoutMillis: number;
  readonly keepAlive: boolean;
  readonly fallback_application_name: string;
  /** Sends statements without waiting for the answers to those before. */
  readonly pipeline: boolean;
  readonly types: { getTypeParser(): (value: string) => string };
}

export interface PgModule {
  readonly Client: new (config: PgConfig) => PgClient;
  readonly Pool: new (
    config: PgConfig & {
      readonly max: number;
      readonly idleTimeoutMillis: number;
      readonly Client: PgModule["Client"];
      onConnect(client: PgClient): Promise<void>;
    },
  ) => PgPool;
}

/** @throws FluxError `missing_package` */
export async function loadPg(): Promise<PgModule> {
  try {
    return (await import("pg")) as unknown as PgModule;
  } catch (cause) {
    throw new FluxError("missing_package", "PostgreSQL needs the package pg, which is not installed", {
      hint: "npm install pg",
      cause,
    });
  }
}

/** A client that closes its socket when it cannot log in. Otherwise it would stay open until the server tires of it. */
export function closingClient({ Client }: PgModule): PgModule["Client"] {
  return class extends Client {
    override connect(): Promise<unknown>;
    override connect(callback: ConnectCallback): void;
    override connect(callback?: ConnectCallback): unknown {
      const connected = new Promise<void>((resolve, reject) => {
        super.connect((error) => {
          if (error) this.connection.stream.destroy();
          if (callback !== undefined) callback(error);
          else if (error) reject(error);
          else resolve();
        });
      });
      return callback === undefined ? connected : undefined;
    }
  };
}
