import { type Tone } from "./status-badge";

interface Props {
  tone?: Exclude<Tone, "mute">;
  title?: React.ReactNode;
  children: React.ReactNode;
}

export function Note({ tone = "info", title, children }: Props) {
  return (
    <div className={tone === "info" ? "note" : `note ${tone}`}>
      {title && <strong>{title}</strong>}
      {children}
    </div>
  );
}

/** The end of a task, with its heading and the number to keep. */
export function DonePanel({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="done">
      <h1>{title}</h1>
      {children}
    </div>
  );
}
