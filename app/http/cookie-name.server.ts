import { getEnv } from "~/lib/env.server";

/**
 * Returns the name of a cookie. On HTTPS it has the prefix `__Host-`, with which browsers refuse a cookie that a neighbouring host sets or
 * that is set over plain HTTP.
 */
export const cookieName = (name: string): string => (getEnv().isHttps ? `__Host-${name}` : name);
