import { useRouteLoaderData } from "@remix-run/react";
import { type Shell } from "~/domain/shell";

/** Returns the data of the root loader, or undefined when the root loader failed. */
export const useMaybeShell = () => useRouteLoaderData<Shell>("root");

export function useShell(): Shell {
  const shell = useMaybeShell();
  if (!shell) throw new Error("useShell needs the data of the root loader");
  return shell;
}
