import { TOTP } from "otpauth";

const STEP = 30_000;

/** How long before its end a time step is not used any more, in milliseconds, because the portal may check the code in the next one. */
const MARGIN = 1000;

/** An authenticator app as its owner holds it. */
export class App {
  /** The time step of the last code. */
  private step = 0;

  constructor(readonly secret: string) {}

  /** Returns the code of a time in milliseconds. */
  codeAt(timestamp: number): string {
    return new TOTP({ secret: this.secret }).generate({ timestamp });
  }

  /**
   * Returns the next code that the portal accepts: at most three within 30 seconds. Each goes one time step further, because a code is
   * accepted once, and begins with the step before the present one.
   */
  code(): string {
    this.step = Math.max(this.step + 1, Math.floor((Date.now() + MARGIN) / STEP) - 1);
    return this.codeAt(this.step * STEP);
  }
}

/** Returns the key in the text of the page that adds an app, as somebody types it into the app who cannot scan the QR code. */
export const keyOn = (text: string): string => (/Key:\s*([A-Z2-7 ]+)/.exec(text)?.[1] ?? "").replace(/\s/g, "");
