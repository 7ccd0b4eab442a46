import { useEffect, useState } from "react";
import { isPromotionLength, type Promotion } from "~/domain/orders/promotion.policy";
import { type PromotionFinding } from "~/domain/orders/promotion.service.server";
import { rarePaths } from "~/lib/rare-paths";
import { TYPING_PAUSE_MS } from "../forms/typing-pause";

const NOTHING: PromotionFinding = { promotion: null, problem: null };

/**
 * Returns what the server knows about a code, or null when it gives no answer, e.g. after too many tries. The button Next checks the code
 * again.
 */
async function lookUp(code: string, signal: AbortSignal): Promise<PromotionFinding | null> {
  try {
    const answer = await fetch(rarePaths.promotionLookUp(code), { signal, redirect: "error" });
    return answer.ok ? ((await answer.json()) as PromotionFinding) : null;
  } catch {
    return null;
  }
}

/**
 * Returns what is known about a promotion code while it is typed: the code that the page was loaded with, or the result of a lookup after a
 * pause in typing. Nothing waits for the lookup, and until it ends there is no discount (PUR-07).
 * @param typed The typed code, trimmed.
 * @param stored The code that the page was loaded with.
 */
export function usePromotion(typed: string, stored: Promotion | null): PromotionFinding {
  const [found, setFound] = useState({ code: "", ...NOTHING });
  const isStored = stored !== null && stored.code.toUpperCase() === typed.toUpperCase();
  const isKnown = isStored || found.code === typed || !isPromotionLength(typed);
  useEffect(() => {
    if (isKnown) return;
    const typing = new AbortController();
    const pause = setTimeout(() => {
      void lookUp(typed, typing.signal).then((finding) => finding && setFound({ code: typed, ...finding }));
    }, TYPING_PAUSE_MS);
    return () => {
      clearTimeout(pause);
      typing.abort();
    };
  }, [typed, isKnown]);
  if (isStored) return { promotion: stored, problem: null };
  return found.code === typed ? found : NOTHING;
}
