import { TOTP } from "otpauth";

/** An authenticator app as its owner holds it. */
export class App {
  /** When the next code is made. Each call goes one time step further, because a code is accepted once. */
  private step = Math.floor(Date.now() / 30_000) - 1;

  constructor(readonly secret: string) {}

  /** Returns the code of a time in milliseconds. */
  codeAt(timestamp: number): string {
    return new TOTP({ secret: this.secret }).generate({ timestamp });
  }

  /** Returns the next code that the portal accepts: at most three within 30 seconds. */
  code(): string {
    const code = this.codeAt(this.step * 30_000);
    this.step += 1;
    return code;
  }
}

/** Returns the key in the text of the page that adds an app, as somebody types it into the app who cannot scan the QR code. */
export const keyOn = (text: string): string => (/Key:\s*([A-Z2-7 ]+)/.exec(text)?.[1] ?? "").replace(/\s/g, "");
