import { checkReadiness } from "~/domain/jobs/readiness.service.server";

/** Database and CA answer: 200, else 503 with what does not. */
export async function loader() {
  const problems = await checkReadiness();
  const text = problems.length === 0 ? "ok\n" : `${problems.join("\n")}\n`;
  return new Response(text, {
    status: problems.length === 0 ? 200 : 503,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  });
}
