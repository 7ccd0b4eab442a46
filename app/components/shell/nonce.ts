import { createContext } from "react";

/** The Content-Security-Policy nonce of this answer; empty in the browser, which hides nonces from scripts. */
export const NonceContext = createContext("");

/** The request id, known while rendering on the server and taken over from the error page in the browser. */
export const RequestIdContext = createContext("");
