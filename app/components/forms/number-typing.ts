import { useState } from "react";

const REFUSED = "Letters cannot be typed here.";
const LETTER = /\p{L}/u;

/**
 * Rejects letters while a number is typed, and says so (GEN-05). Punctuation is accepted and reported when the form is sent: dropping the
 * comma of `870,00` would make it another amount.
 * @returns The handlers of the input, and the message below it.
 */
export function useNumberTyping(isNumber: boolean) {
  const [status, setStatus] = useState("");
  if (!isNumber) return { handlers: {}, status: undefined };
  const onBlur = () => setStatus("");
  const onBeforeInput = (event: React.FormEvent<HTMLInputElement> & { data?: string | null }) => {
    if (!LETTER.test(event.data ?? "")) return;
    event.preventDefault();
    setStatus(REFUSED);
  };
  return { handlers: { onBeforeInput, onBlur }, status };
}
