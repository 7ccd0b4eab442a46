import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** False on the server and in the page as it comes, true once its scripts run. */
export const useHasScripts = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
