/** A typed text of several lines, each in the direction of its language. */
export const Lines = ({ text }: { text: string }) => (
  <div className="lines">
    {text.split("\n").map((line, index) => (
      <div key={index} dir="auto">
        {line}
      </div>
    ))}
  </div>
);
