import { Secret, TOTP } from "otpauth";
import { create } from "qrcode";
import { getConfig } from "~/lib/config.server";
import { open, seal } from "./secret-box.server";

/** What every authenticator app understands: HMAC-SHA-1, six digits, 30 seconds (RFC 6238). */
const RULES = { algorithm: "SHA1", digits: 6, period: 30 } as const;

/** How many time steps the clocks of the app and the portal may differ. */
const DRIFT = 1;

/** The number of bytes of a secret that RFC 4226 §4 recommends. */
const SECRET_BYTES = 20;

const contextOf = (userId: number) => `totp ${userId}`;

const totpOf = (secret: string) => new TOTP({ ...RULES, secret: Secret.fromBase32(secret) });

/** Returns a new secret in base32. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

export const sealTotpSecret = (secret: string, userId: number): string => seal(secret, contextOf(userId));

/** Returns the secret of an app, or null when AUDIT_KEYS no longer has the key with which it was encrypted. */
export const openTotpSecret = (sealed: string, userId: number): string | null => open(sealed, contextOf(userId));

/** Returns the time step of a code, or null when it is wrong at this time. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const delta = totpOf(secret).validate({ token: code, timestamp: now.getTime(), window: DRIFT });
  return delta === null ? null : Math.floor(now.getTime() / 1000 / RULES.period) + delta;
}

/** Returns the address that an app reads from a QR code. */
export const totpAddress = (secret: string, username: string): string =>
  new TOTP({
    ...RULES,
    issuer: getConfig().branding.name,
    label: username,
    secret: Secret.fromBase32(secret),
  }).toString();

/** Returns the dark squares of a QR code as an SVG path, with the number of squares on each side. */
export function qrPath(text: string): { path: string; size: number } {
  const { modules } = create(text, { errorCorrectionLevel: "M" });
  const { size } = modules;
  const squares = [...Array(size * size).keys()].filter((index) => modules.data[index]);
  return { path: squares.map((index) => `M${index % size} ${Math.floor(index / size)}h1v1h-1z`).join(""), size };
}
