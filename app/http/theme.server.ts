import { createCookie } from "@remix-run/node";
import { type Theme } from "~/domain/shell";
import { getEnv } from "~/lib/env.server";
import { cookieName } from "./cookie-name.server";

const isTheme = (value: unknown): value is Theme => value === "system" || value === "light" || value === "dark";

const cookie = () =>
  createCookie(cookieName("theme"), {
    path: "/",
    maxAge: 365 * 86_400,
    sameSite: "lax",
    httpOnly: true,
    secure: getEnv().isHttps,
  });

/** Returns the theme chosen in the footer, or `system` when none was chosen. */
export async function readTheme(request: Request): Promise<Theme> {
  const value: unknown = await cookie().parse(request.headers.get("Cookie"));
  return isTheme(value) ? value : "system";
}

/** Returns the `Set-Cookie` header that stores the theme. An unknown value is stored as `system`. */
export const rememberTheme = (value: unknown): Promise<string> => cookie().serialize(isTheme(value) ? value : "system");
