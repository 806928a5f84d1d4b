// Slanted areas of text.

/** The rectangle that becomes a quad when it is turned about its top left corner. */
export function quadBox([topLeft, topRight, bottomRight]) {
  const across = { x: topRight.x - topLeft.x, y: topRight.y - topLeft.y };
  return {
    left: topLeft.x,
    top: topLeft.y,
    width: Math.hypot(across.x, across.y),
    height: Math.hypot(bottomRight.x - topRight.x, bottomRight.y - topRight.y),
    angle: (Math.atan2(across.y, across.x) * 180) / Math.PI,
  };
}
