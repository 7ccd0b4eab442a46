import { Secret, TOTP } from "otpauth";
import { create } from "qrcode";
import { getConfig } from "~/lib/config.server";

/** What every authenticator app understands: HMAC-SHA-1, six digits, 30 seconds (RFC 6238). */
const RULES = { algorithm: "SHA1", digits: 6, period: 30 } as const;

/** How many time steps the clocks of the app and the portal may differ. */
const DRIFT = 1;

/** The number of bytes of a secret that RFC 4226 §4 recommends. */
const SECRET_BYTES = 20;

const totpOf = (secret: string) => new TOTP({ ...RULES, secret: Secret.fromBase32(secret) });

/** Returns a new secret in base32. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** Returns the time step of a code, or null when it is wrong at this time. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const delta = totpOf(secret).validate({ token: code, timestamp: now.getTime(), window: DRIFT });
  return delta === null ? null : Math.floor(now.getTime() / 1000 / RULES.period) + delta;
}

/** Returns the address that an app reads from a QR code. `issuer` is what the app shows above the user name. */
export const totpAddress = (secret: string, username: string, issuer = getConfig().branding.name): string =>
  new TOTP({ ...RULES, issuer, label: username, secret: Secret.fromBase32(secret) }).toString();

/** Returns the dark squares of a QR code as an SVG path, with the number of squares on each side. */
export function qrPath(text: string): { path: string; size: number } {
  const { modules } = create(text, { errorCorrectionLevel: "M" });
  const { size } = modules;
  const squares = [...Array(size * size).keys()].filter((index) => modules.data[index]);
  return { path: squares.map((index) => `M${index % size} ${Math.floor(index / size)}h1v1h-1z`).join(""), size };
}
