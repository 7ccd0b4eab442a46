interface Props {
  /** What the details are about, in a few words. */
  summary: React.ReactNode;
  children: React.ReactNode;
}

/**
 * Details that a phone shows when their summary is opened, so that the first field of the page is near its top. Wide screens and paper show
 * them at once, without the summary. They stand beside the `details` and not in it, so that styles can show them in every browser.
 */
export function PhoneFold({ summary, children }: Props) {
  return (
    <div>
      <details className="phone-fold no-print">
        <summary>{summary}</summary>
      </details>
      <div className="phone-folded">{children}</div>
    </div>
  );
}
