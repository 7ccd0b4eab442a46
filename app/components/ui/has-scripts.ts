import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** Returns false on the server and until hydration, and true once the page's scripts run. */
export const useHasScripts = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
