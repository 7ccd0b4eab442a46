import { useNavigation } from "@remix-run/react";

/** True while a page change or a submit is under way. */
export const usePending = () => useNavigation().state !== "idle";
