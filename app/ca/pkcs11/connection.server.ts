import { CaError } from "../errors.server";
import { isTokenLost, returnValueOf } from "./errors.server";
import { type Handle, initialize, type Library, libraryRestarts } from "./library.server";
import { type TokenKey } from "./objects.server";

export interface TokenSettings {
  /** Path of the manufacturer's library. */
  module: string;
  /** CKA_LABEL of the token. */
  label: string;
  pin: string;
  /** How many signatures can be made at the same time. Each session makes one at a time. */
  sessions: number;
}

/** How many sessions of this process, with whatever token, are in use. */
let allInUse = 0;

export const isAnySessionInUse = (): boolean => allInUse > 0;

/** An open connection to a token with a logged-in user. It ends when a session is lost. */
export class Connection {
  private readonly restarts = libraryRestarts();
  private readonly free: Handle[] = [];
  private readonly waiting: (() => void)[] = [];
  private inUse = 0;
  private isEnded = false;
  /** Private keys that were found before, by label. */
  readonly keys = new Map<string, TokenKey>();

  private constructor(
    readonly library: Library,
    private readonly slot: Handle,
    private readonly sessions: number,
  ) {}

  /** Finds the token and logs in. Throws a CaError `token` or `wrong-pin`, or an error of the library. */
  static open(library: Library, { label, pin, sessions }: TokenSettings): Connection {
    const { ck, functions } = library;
    initialize(library);
    const connection = new Connection(library, slotOf(library, label), sessions);
    const session = connection.openSession();
    try {
      functions.C_Login(session, ck.CKU_USER, pin);
    } catch (error) {
      const reason = returnValueOf(error) ?? "";
      if (reason !== "CKR_USER_ALREADY_LOGGED_IN") {
        functions.C_CloseSession(session);
        throw reason.startsWith("CKR_PIN_") ? new CaError("wrong-pin", wrongPin(label, reason)) : error;
      }
    }
    connection.free.push(session); // the login lasts as long as a session is open
    return connection;
  }

  private openSession(flags = 0): Handle {
    const { ck, functions } = this.library;
    return functions.C_OpenSession(this.slot, ck.CKF_SERIAL_SESSION | flags);
  }

  /** Runs `work` with a session, after waiting while all sessions are in use. A session in which something failed is not used again. */
  async withSession<T>(work: (session: Handle) => T | Promise<T>): Promise<T> {
    while (this.inUse >= this.sessions) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.inUse += 1;
    allInUse += 1;
    try {
      this.requireSameStart();
      const session = this.free.pop() ?? this.openSession();
      const result = await this.working(session, work);
      if (this.isEnded) this.close(session);
      else this.free.push(session);
      return result;
    } finally {
      this.inUse -= 1;
      allInUse -= 1;
      this.waiting.shift()?.();
    }
  }

  private async working<T>(session: Handle, work: (session: Handle) => T | Promise<T>): Promise<T> {
    try {
      return await work(session);
    } catch (error) {
      if (!isTokenLost(error)) this.close(session); // the handle of a lost session may already belong to another one
      throw error;
    }
  }

  /** Runs `work` with a session that can change the objects of the token. */
  async withWritingSession<T>(work: (session: Handle) => T | Promise<T>): Promise<T> {
    allInUse += 1;
    try {
      this.requireSameStart();
      const session = this.openSession(this.library.ck.CKF_RW_SESSION);
      try {
        return await work(session);
      } finally {
        this.close(session);
      }
    } finally {
      allInUse -= 1;
    }
  }

  /** Throws an error that says that the session is lost when the library was started again since. */
  private requireSameStart(): void {
    if (this.restarts !== libraryRestarts()) throw new Error("CKR_SESSION_HANDLE_INVALID");
  }

  /** Closes the free sessions. Sessions in use are closed when their work is done. */
  end(): void {
    this.isEnded = true;
    for (const session of this.free.splice(0)) this.close(session);
  }

  private close(session: Handle): void {
    if (this.restarts !== libraryRestarts()) return; // its handle may belong to another session
    try {
      this.library.functions.C_CloseSession(session);
    } catch {
      // the session was already lost
    }
  }
}

const wrongPin = (label: string, reason: string) =>
  `PKCS11_PIN does not open the token '${label}' (${reason}). It is not tried again before the next start, so that the token does not lock itself.`;

function slotOf({ functions }: Library, label: string): Handle {
  const slots = functions.C_GetSlotList(true);
  const found = slots.filter((slot) => functions.C_GetTokenInfo(slot).label.trimEnd() === label);
  const [slot] = found;
  if (!slot)
    throw new CaError("token", `There is no token '${label}': see PKCS11_TOKEN, and whether it is plugged in.`);
  if (found.length > 1) throw new CaError("token", `There are ${found.length} tokens '${label}': see PKCS11_TOKEN.`);
  return slot;
}
