import { useRouteLoaderData } from "@remix-run/react";
import { type Shell } from "~/domain/shell";

/** What the root loader knows, or undefined when it failed itself. */
export const useMaybeShell = () => useRouteLoaderData<Shell>("root");

export function useShell(): Shell {
  const shell = useMaybeShell();
  if (!shell) throw new Error("useShell needs the data of the root loader");
  return shell;
}
