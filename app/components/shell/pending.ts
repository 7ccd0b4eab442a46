import { useNavigation } from "@remix-run/react";

/** Returns true while a navigation or a submit is in progress. */
export const usePending = () => useNavigation().state !== "idle";
