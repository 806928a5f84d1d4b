"""A picture made of noise: ridges in the morning mist, as an image of a few hundred colours."""

import math

import cairo

SKY = ((0.98, 0.86, 0.69), (0.62, 0.74, 0.84))  # at the horizon, at the top
MIST = ((0.80, 0.79, 0.78), (0.12, 0.20, 0.27))  # the farthest ridge, the nearest


def mix(a, b, share):
    return tuple(x + (y - x) * share for x, y in zip(a, b))


def noise(seed):
    """Numbers in −1…1 that look random and are the same everywhere."""
    state = seed * 7919 + 1
    while True:
        state = (state * 1103515245 + 12345) % 2**31
        yield state / 2**30 - 1


def ridge(seed, count, roughness):
    """Heights along a ridge by midpoint displacement."""
    source = noise(seed)
    heights, reach = [next(source), next(source)], 1.0
    while len(heights) < count + 1:
        between = [(a + b) / 2 + next(source) * reach for a, b in zip(heights, heights[1:])]
        heights = [h for pair in zip(heights, between) for h in pair] + heights[-1:]
        reach *= roughness
    return heights


def ridges(width, height, layers=6):
    """The picture as a cairo image surface of width × height pixels."""
    surface = cairo.ImageSurface(cairo.FORMAT_RGB24, width, height)
    pixels, stride = surface.get_data(), surface.get_stride()
    profiles = []
    for layer in range(layers):
        heights = ridge(layer + 5, width, 0.52)
        base, reach = height * (0.42 + layer * 0.105), height * (0.10 + layer * 0.012)
        profiles.append([base - h * reach for h in heights])
    sun_x, sun_y, sun_r = width * 0.69, height * 0.26, height * 0.085
    for y in range(height):
        sky = mix(SKY[1], SKY[0], min(1, int(y / height * 48) / 26))
        for x in range(width):
            colour = sky
            if math.hypot(x - sun_x, y - sun_y) < sun_r:
                colour = (1.0, 0.97, 0.88)
            for layer, profile in enumerate(profiles):
                if y >= profile[x]:
                    depth = int(min(1, (y - profile[x]) / (height * 0.3)) * 10) / 10
                    own = mix(*MIST, layer / (layers - 1))
                    colour = mix(own, SKY[0], 0.35 * depth * (1 - layer / layers))
            at = y * stride + x * 4
            pixels[at : at + 3] = bytes(int(c * 255) for c in reversed(colour))
    surface.mark_dirty()
    return surface
