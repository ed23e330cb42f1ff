"""The figures of items by formulas of its own, over lists of sittings: marks of each item, or None where it was not shown.

Sources: Moodle's "Quiz statistics calculations"; Cronbach 1951; for Wilson's interval its quadratic equation, solved.
"""
import math
import statistics


def varies(values):
    """Sums of thirds that are equal differ by rounding."""
    return max(values) - min(values) > 1e-9


def correlation(one, other):
    """Pearson's, times 100; None where there is none."""
    if len(one) < 3 or not varies(one) or not varies(other):
        return None
    a, b = statistics.fmean(one), statistics.fmean(other)
    up = math.fsum((x - a) * (y - b) for x, y in zip(one, other))
    return 100 * up / math.sqrt(math.fsum((x - a) ** 2 for x in one) * math.fsum((y - b) ** 2 for y in other))


def covariance(one, other):
    a, b = statistics.fmean(one), statistics.fmean(other)
    return math.fsum((x - a) * (y - b) for x, y in zip(one, other)) / (len(one) - 1)


def wilson(right, n, z=1.959963984540054):
    """The two p with (right/n - p)^2 = z^2 p (1 - p) / n."""
    share = right / n
    a, b, c = 1 + z * z / n, -(2 * share + z * z / n), share * share
    root = math.sqrt(max(0, b * b - 4 * a * c))
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def alpha(columns):
    totals = [math.fsum(row) for row in zip(*columns)]
    variance = statistics.variance(totals)
    if len(columns) < 2 or variance < 1e-12:
        return None
    return len(columns) / (len(columns) - 1) * (1 - math.fsum(map(statistics.variance, columns)) / variance)


def efficiency(one, other):
    most = covariance(sorted(one), sorted(other))
    return 100 * covariance(one, other) / most if varies(one) and varies(other) and most > 0 else None


def complete(rows, maxima):
    """(figures of each item, figures of the test) by Moodle's formulas."""
    columns = [list(column) for column in zip(*rows)]
    totals = [math.fsum(row) for row in rows]
    roots = [math.sqrt(max(0, covariance(column, totals))) for column in columns]
    items = []
    for k, column in enumerate(columns):
        rest = [total - mark for total, mark in zip(totals, column)]
        items.append({
            'discrimination': correlation(column, rest),
            'discriminative_efficiency': efficiency(column, rest),
            'effective_weight': None if covariance(column, totals) < 0 or not sum(roots) else 100 * roots[k] / sum(roots),
            'alpha_if_deleted': alpha(columns[:k] + columns[k + 1:]) if len(columns) > 2 else None,
        })
    whole, n, mean = alpha(columns), len(rows), statistics.fmean(totals)
    test = {'alpha': whole, 'error_ratio': None, 'standard_error': None, 'skewness': None, 'kurtosis': None}
    if whole is not None:
        test['error_ratio'] = 100 * math.sqrt(1 - whole)
        test['standard_error'] = math.sqrt(1 - whole) * statistics.stdev(totals)
        test['alpha'] = 100 * whole
    if varies(totals):
        z = [(total - mean) / statistics.stdev(totals) for total in totals]
        test['skewness'] = n / ((n - 1) * (n - 2)) * math.fsum(value ** 3 for value in z)
        if n > 3:
            test['kurtosis'] = (n * (n + 1) / ((n - 1) * (n - 2) * (n - 3)) * math.fsum(value ** 4 for value in z)
                                - 3 * (n - 1) ** 2 / ((n - 2) * (n - 3)))
    return items, test


def partial(rows, item, chosen=None):
    """(discrimination, efficiency) by the mean share over other items, at least 3; or of who chose something."""
    own, rest = [], []
    for k, row in enumerate(rows):
        others = [share for place, share in enumerate(row) if place != item and share is not None]
        if row[item] is None or len(others) < 3:
            continue
        own.append(row[item] if chosen is None else chosen[k])
        rest.append(statistics.fmean(others))
    return correlation(own, rest), efficiency(own, rest) if len(own) >= 3 else None
